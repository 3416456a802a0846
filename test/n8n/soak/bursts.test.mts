import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../kit/eventually.mts';
import { publishCompared } from '../kit/lost-or-twice.mts';
import { openQueueMode, PATIENCE_MS } from '../kit/queue-mode.mts';
import { drawFrom } from './random-draws.mts';

const SEED = Number(process.env.WORKERS_SEED ?? 7);
const BURSTS = Number(process.env.BURSTS ?? 6);
/** As long as the trigger takes after a start to look for what was missed, and to run it. */
const RECOVERY_MS = 20_000;

test(`${BURSTS} bursts of 25, and main killed and started after each: 0 lost, 0 twice (WORKERS_SEED=${SEED})`, async (context) => {
	const rig = await openQueueMode({ mainReceives: true });
	context.after(rig.close);
	const draw = drawFrom(SEED);
	const trigger = await publishCompared(rig);
	const answered = async () => {
		const { form, made } = trigger;
		const ofForm = (await rig.service.deliveries()).filter(({ formId }) => formId === form.id);
		assert.ok(ofForm.length >= made.length);
	};
	const waits: Record<string, () => Promise<unknown>> = {
		nothing: async () => {},
		'the answers': async () => await eventually(answered, PATIENCE_MS),
		'the runs': async () => await trigger.noneIsLost(PATIENCE_MS),
	};
	const looks = async () => (await trigger.looks()).length;
	for (let round = 1; round <= BURSTS; round++) {
		await trigger.complete(25);
		const awaited = draw.oneOf(Object.keys(waits));
		const longer = Math.floor(draw.below(1_500));
		await waits[awaited]!();
		await sleep(longer);
		await rig.cluster.killOne('main');
		const looksBefore = await looks();
		await rig.cluster.startOne('main');
		// Another 25 would hide these from it.
		await eventually(async () => assert.ok((await looks()) > looksBefore), PATIENCE_MS);
		await trigger.noneIsLost(PATIENCE_MS);
		context.diagnostic(`round ${round}: waited for ${awaited} and ${longer} ms`);
		await sleep(draw.below(RECOVERY_MS));
	}
	// Long enough for a last look, and for what its run tells to be emitted again.
	await sleep(3 * RECOVERY_MS);
	await trigger.allEnded(PATIENCE_MS);
	// A hook that a killed main left behind removes itself at its next delivery.
	await trigger.complete(1);
	await trigger.noneIsLost(PATIENCE_MS);
	await trigger.noneIsLostOrTwice();
	await trigger.hasOneHook();
});
