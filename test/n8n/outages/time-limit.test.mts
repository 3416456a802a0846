import assert from 'node:assert/strict';
import { describeEngines } from '../kit/describe-engines.mts';
import { eventually } from '../kit/eventually.mts';
import { publishTrigger, slowNode, type TriggerOptions } from '../kit/published-trigger.mts';
import { describeRestarts } from '../kit/shared-restarts.mts';

const MINUTE = 60_000;
const settings = { executionTimeout: 3 };
const polled = { authentication: 'apiKey', pollInterval: 1 };

/** In n8n of one process, what was cut off runs at the first look. */
const CUT_OFF_MS = 2 * MINUTE;

describeEngines('a workflow whose executions time out after 3 seconds', {}, (rig) => {
	/** It has run as many responses. */
	async function working(count: number, options: TriggerOptions) {
		const trigger = await publishTrigger(rig, { settings, ...options });
		await trigger.complete(count);
		await trigger.ranAll(1.5 * MINUTE);
		return trigger;
	}

	describeRestarts('n8n killed', rig, { crash: true }, (it) => {
		it('polled responses run, before and after', async (restart) => {
			const trigger = await working(5, { parameters: polled });
			await trigger.complete(5);
			await trigger.ranAll(1.5 * MINUTE);
			await trigger.endsAreRecorded();
			await restart(async () => await trigger.complete(5));
			await trigger.ranAll(MINUTE);
			await trigger.ranNothingElse();
		});

		it('responses run whose workflow takes longer', async (restart) => {
			const trigger = await working(3, { parameters: polled, others: [slowNode(6_000)] });
			await trigger.endsAreRecorded();
			await restart(async () => await trigger.complete(2));
			await trigger.ranAll(MINUTE);
			await trigger.ranNothingElse();
		});

		it('what was missed runs, and what was cut off runs again', async (restart, context) => {
			const longer = await publishTrigger(rig, { others: [slowNode(8_000)] });
			const trigger = await working(3, {});
			await trigger.endsAreRecorded();
			const missThem = async () => await trigger.complete(7);
			await restart(missThem, async () => {
				await longer.complete(2);
				await eventually(async () => {
					const runs = await longer.executions();
					assert.equal(runs.filter(({ status }) => status === 'running').length, 2);
				});
			});
			await trigger.ranAll(MINUTE);
			context.diagnostic(`missed: ${Date.now() - rig.startedAt} ms after the start`);
			await longer.ranAll(CUT_OFF_MS - (Date.now() - rig.startedAt));
			context.diagnostic(`cut off: ${Date.now() - rig.startedAt} ms after the start`);
			await trigger.ranNothingElse();
			await longer.ranAll(0);
		});

		it('a start without anything missed costs one execution, or one more if that is cut off', async (restart, context) => {
			const trigger = await working(3, {});
			await trigger.endsAreRecorded();
			const before = (await trigger.executions()).length;
			await restart();
			await trigger.ranNothingElse();
			const empty = (await trigger.executions()).length - before;
			context.diagnostic(`${empty} executions`);
			// A busy n8n may cut off the first one: then it is repeated.
			assert.ok(empty <= 2, `${empty} executions`);
		});
	});
});
