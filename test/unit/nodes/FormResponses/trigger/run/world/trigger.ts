import type { INodeExecutionData, IRun, ITriggerFunctions } from 'n8n-workflow';
import { responseKey } from '../../../../../../../nodes/FormResponses/transport/responseKey';
import {
	halfAPageMs,
	lookInterval,
} from '../../../../../../../nodes/FormResponses/trigger/recover/lookInterval';
import { decide } from '../../../../../../../nodes/FormResponses/trigger/recover/missedResponses';
import { addTrigger } from '../../../../../../../nodes/FormResponses/trigger/state/memory';
import { timing } from '../../../../../../../nodes/FormResponses/trigger/timing';
import { PAGE } from './form';
import type { Run } from './history';
import { nodeContext } from './nodeContext';
import type { World } from './world';

interface Done {
	resolve: (run: IRun) => void;
	reject: (error: Error) => void;
}

function contextOf({ main, queue }: World) {
	const { life } = main;
	const tellMain = (run: Run, outcome: IRun | Error, { resolve, reject }: Done) => {
		if (run.isLost || main.life !== life) return;
		main.after(0, () => (outcome instanceof Error ? reject(outcome) : resolve(outcome)));
	};
	return {
		...nodeContext,
		getWorkflowStaticData: () => ({}),
		helpers: {
			createDeferredPromise() {
				let done!: Done;
				const promise = new Promise((resolve, reject) => (done = { resolve, reject }));
				return { ...done, promise };
			},
		},
		emit([items]: INodeExecutionData[][], _: unknown, done: Done) {
			const run: Run = { items, tell: (outcome) => tellMain(run, outcome, done) };
			queue.add(run);
		},
	} as unknown as ITriggerFunctions;
}

/** Starts the trigger in main: all of it but its requests, which the service answers here at once. */
export function startTrigger(world: World) {
	const { schedule, form, main } = world;
	const { code, memory } = main;
	const { isActive } = addTrigger(memory);
	const context = contextOf(world);
	const { isPending, add } = code.createEmission({ context, memory, isActive, onLate() {} });
	const isHandled = (key: string) => memory.known.has(key) || isPending(key);
	let looks = 0;
	let before: string[] = [];
	function look() {
		const page = form.page();
		const newest = page.map(({ envelope }) => envelope);
		const keys = newest.map(responseKey);
		const unknown = page.filter((_, index) => !memory.known.has(keys[index]));
		for (const one of unknown) Object.assign(one, { isSeen: true, isForgotten: false });
		const about = { isPolling: false, isFirst: looks++ === 0 };
		const { missed, isOldestShown } = decide({
			...{ newest, before, start: { since: '', baseline: [] }, isHandled, ...about },
			isFull: page.length === PAGE,
			isWanted: () => true,
		});
		before = keys;
		if (missed.length > 0) add(missed, { now: schedule.now, isOldestShown, ...about });
		main.after(lookInterval(halfAPageMs([...keys, ...memory.known]), looks), look);
	}
	main.after(timing.firstLookMs, look);
	return {
		/** What main holds of responses dies with it. */
		forget() {
			for (const one of form.all) {
				const isUnderWay = one.outputs.some(({ run }) => main.running.has(run));
				if (isPending(responseKey(one.envelope)) || isUnderWay) one.isForgotten = true;
			}
		},
	};
}

export type Trigger = ReturnType<typeof startTrigger>;
