import { publishTrigger } from './published-trigger.mts';
import type { Connection, Rig } from './test-rig.mts';

/** Sooner than any look could bring a response, also on a busy machine. */
const DELIVERY_MS = 15_000;

/** A published trigger that works, and has to run all that is completed for it. */
export async function workingTrigger(rig: Rig, connection: Connection) {
	const trigger = await publishTrigger(rig, { connection });
	const made = await trigger.complete();
	await trigger.ranOnceEach(made);
	await trigger.endsAreRecorded();
	const complete = async (count = 1, how = {}) =>
		void made.push(...(await trigger.complete(count, how)));
	const ranAll = async (withinMs: number) => await trigger.ranOnceEach(made, withinMs);

	return {
		...trigger,
		complete,
		ranAll,
		async isDelivered() {
			await complete();
			await ranAll(DELIVERY_MS);
		},
	};
}

export type WorkingTrigger = Awaited<ReturnType<typeof workingTrigger>>;

/** So many of one connection; checks all at once. */
export async function workingTriggers(rig: Rig, connection: Connection, count: number) {
	const adding = Array.from({ length: count }, async () => await workingTrigger(rig, connection));
	const triggers = await Promise.all(adding);
	return async (check: (trigger: WorkingTrigger) => Promise<unknown>) =>
		void (await Promise.all(triggers.map(check)));
}
