import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openQueue } from '../kit/queue-mode.mts';
import { eventually } from '../kit/eventually.mts';
import { publishWithLedger } from '../kit/lost-or-twice.mts';
import { seeded } from './random-draws.mts';
import { PATIENCE_MS } from '../queue/runs-by-hand.mts';

const SEED = Number(process.env.WORKERS_SEED ?? 7);
const BURSTS = Number(process.env.BURSTS ?? 6);
/** As long as the trigger takes after a start to look for what was missed, and to run it. */
const RECOVERY_MS = 20_000;

test(`${BURSTS} bursts of 25, and main killed and started after each: 0 lost, 0 twice (WORKERS_SEED=${SEED})`, async (context) => {
	const { cluster, rig, close } = await openQueue({ mainReceives: true });
	context.after(close);
	const draw = seeded(SEED);
	const { trigger, ledger } = await publishWithLedger(rig);
	const { form } = trigger;
	const answered = async () => {
		const ofForm = (await rig.service.deliveries()).filter(({ formId }) => formId === form.id);
		assert.ok(ofForm.length >= ledger.count);
	};
	const waits: Record<string, () => Promise<unknown>> = {
		nothing: async () => {},
		'the answers': async () => await eventually(answered, PATIENCE_MS),
		'the runs': async () => await ledger.allRan(PATIENCE_MS),
	};
	const looks = async () =>
		(await rig.service.requestsFor('GET', `/forms/${form.id}/responses`)).length;
	for (let round = 1; round <= BURSTS; round++) {
		await ledger.submit(25);
		const awaited = draw.oneOf(Object.keys(waits));
		const longer = Math.floor(draw.below(1_500));
		await waits[awaited]!();
		await sleep(longer);
		await cluster.killOne('main');
		const looksBefore = await looks();
		await cluster.startOne('main');
		// Another 25 would hide these from it.
		await eventually(async () => assert.ok((await looks()) > looksBefore), PATIENCE_MS);
		await ledger.allRan(PATIENCE_MS);
		context.diagnostic(`round ${round}: waited for ${awaited} and ${longer} ms`);
		await sleep(draw.below(RECOVERY_MS));
	}
	// Long enough for a last look, and for what its run tells to be emitted again.
	await sleep(3 * RECOVERY_MS);
	await trigger.allEnded(PATIENCE_MS);
	// A hook that a killed main left behind removes itself at its next delivery.
	await ledger.submit(1);
	await ledger.allRan(PATIENCE_MS);
	assert.deepEqual(await ledger.balance(), { lost: [], twice: [] });
	await trigger.hasOneHook();
});
