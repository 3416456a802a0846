import { after, before, test } from 'node:test';
import type { ActivationEngine } from '../../../playground/n8n/environment.mts';
import { needsOwnN8n } from '../kit/attached-n8n.mts';
import { node } from '../kit/workflow-nodes.mts';
import { describeEngines } from '../kit/describe-engines.mts';
import { publishTrigger } from '../kit/published-trigger.mts';
import { openRig, type Rig } from '../kit/test-rig.mts';

const env = { N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' };
const RUN_S = 2;
const WITHIN_MS = 90_000;

function scenariosOf(engine: ActivationEngine) {
	let rig: Rig;
	before(async () => void (rig = await openRig({ engine, env })));
	after(async () => await rig?.close());

	const slowTrigger = async () => {
		const slow = { amount: RUN_S, unit: 'seconds' };
		const wait = node('Wait', 'n8n-nodes-base.wait', slow, { typeVersion: 1.1 });
		return await publishTrigger(rig, { others: [wait] });
	};

	for (const [how, crash] of [
		['killed', true],
		['restarted', false],
	] as const) {
		test(`n8n ${how} while executions wait for their turn`, async () => {
			const trigger = await slowTrigger();
			const made = await trigger.complete(6);
			const whileDown = async () => void made.push(...(await trigger.complete(2)));
			await rig.restart({ crash, whileDown });
			await trigger.ranOnceEach(made, WITHIN_MS);
		});
	}
}

describeEngines('an n8n that runs one execution at a time', scenariosOf, { skip: needsOwnN8n });
