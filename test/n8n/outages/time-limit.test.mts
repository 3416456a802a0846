import assert from 'node:assert/strict';
import { after, before, describe } from 'node:test';
import type { Envelope } from '../../../playground/service/client.mts';
import type { ActivationEngine } from '../../../playground/n8n/environment.mts';
import { needsOwnN8n } from '../kit/attached-n8n.mts';
import { describeEngines } from '../kit/describe-engines.mts';
import { eventually } from '../kit/eventually.mts';
import { publishTrigger, slowNode, type TriggerOptions } from '../kit/published-trigger.mts';
import { openRig, type Rig } from '../kit/test-rig.mts';
import { sharedRestarts } from '../kit/shared-restarts.mts';

const MINUTE = 60_000;
const settings = { executionTimeout: 3 };
const polled = { authentication: 'apiKey', pollInterval: 1 };

/** In n8n of one process, what was cut off runs at the first look. */
const CUT_OFF_MS = 2 * MINUTE;

function scenariosOf(engine: ActivationEngine) {
	let rig: Rig;
	before(async () => void (rig = await openRig({ engine })));
	after(async () => await rig?.close());

	const published = async (options: TriggerOptions) => await publishTrigger(rig, options);

	describe('n8n killed', { concurrency: true }, () => {
		const it = sharedRestarts(() => rig, { crash: true });

		it('polled responses run, before and after', async (restart) => {
			const trigger = await published({ parameters: polled, settings });
			const made = await trigger.complete(5);
			await trigger.ranOnceEach(made, 1.5 * MINUTE);
			made.push(...(await trigger.complete(5)));
			await trigger.ranOnceEach(made, 1.5 * MINUTE);
			await trigger.endsAreRecorded();
			await restart(async () => void made.push(...(await trigger.complete(5))));
			await trigger.ranOnceEach(made, MINUTE);
			await trigger.ranNothingElse(made);
		});

		it('responses run whose workflow takes longer', async (restart) => {
			const others = [slowNode(6_000)];
			const trigger = await published({ parameters: polled, settings, others });
			const made = await trigger.complete(3);
			await trigger.ranOnceEach(made, 1.5 * MINUTE);
			await trigger.endsAreRecorded();
			await restart(async () => void made.push(...(await trigger.complete(2))));
			await trigger.ranOnceEach(made, MINUTE);
			await trigger.ranNothingElse(made);
		});

		it('what was missed runs, and what was cut off runs again', async (restart, context) => {
			const trigger = await published({ settings });
			const longer = await published({ others: [slowNode(8_000)] });
			const made = await trigger.complete(3);
			await trigger.ranOnceEach(made, 1.5 * MINUTE);
			await trigger.endsAreRecorded();
			const cutOff: Envelope[] = [];
			const missThem = async () => void made.push(...(await trigger.complete(7)));
			await restart(missThem, async () => {
				cutOff.push(...(await longer.complete(2)));
				await eventually(async () => {
					const runs = await longer.executions();
					assert.equal(runs.filter(({ status }) => status === 'running').length, 2);
				});
			});
			await trigger.ranOnceEach(made, MINUTE);
			context.diagnostic(`missed: ${Date.now() - rig.startedAt} ms after the start`);
			await longer.ranOnceEach(cutOff, CUT_OFF_MS - (Date.now() - rig.startedAt));
			context.diagnostic(`cut off: ${Date.now() - rig.startedAt} ms after the start`);
			await trigger.ranNothingElse(made);
			await longer.ranOnceEach(cutOff, 0);
		});

		it('a start without anything missed costs one execution, or one more if that is cut off', async (restart, context) => {
			const trigger = await published({ settings });
			const made = await trigger.complete(3);
			await trigger.ranOnceEach(made, 1.5 * MINUTE);
			await trigger.endsAreRecorded();
			const before = (await trigger.executions()).length;
			await restart();
			await trigger.ranNothingElse(made);
			const empty = (await trigger.executions()).length - before;
			context.diagnostic(`${empty} executions`);
			// A busy n8n may cut off the first one: then it is repeated.
			assert.ok(empty <= 2, `${empty} executions`);
		});
	});
}

describeEngines('a workflow whose executions time out after 3 seconds', scenariosOf, {
	skip: needsOwnN8n,
});
