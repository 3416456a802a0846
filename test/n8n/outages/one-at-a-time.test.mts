import { test } from 'node:test';
import { describeEngines } from '../kit/describe-engines.mts';
import { publishTrigger } from '../kit/published-trigger.mts';
import { node } from '../kit/workflow-nodes.mts';

const env = { N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' };
const RUN_S = 2;
const WITHIN_MS = 90_000;

describeEngines('an n8n that runs one execution at a time', { env }, (rig) => {
	for (const [how, crash] of [
		['killed', true],
		['restarted', false],
	] as const) {
		test(`n8n ${how} while executions wait for their turn: each response runs once`, async () => {
			const slow = { amount: RUN_S, unit: 'seconds' };
			const wait = node('Wait', 'n8n-nodes-base.wait', slow, { typeVersion: 1.1 });
			const trigger = await publishTrigger(rig, { others: [wait] });
			await trigger.complete(6);
			await rig.restart({ crash, whileDown: async () => await trigger.complete(2) });
			await trigger.ranAll(WITHIN_MS);
		});
	}
});
