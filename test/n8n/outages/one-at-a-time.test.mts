import { after, before, test } from 'node:test';
import type { ActivationEngine } from '../../../playground/n8n/environment.mts';
import { needsOwnN8n } from '../kit/attach.mts';
import { node } from '../kit/drafts.mts';
import { describeEngines } from '../kit/engines.mts';
import { publishTrigger } from '../kit/published-trigger.mts';
import { openStage, type Stage } from '../kit/stage.mts';

const env = { N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' };
const RUN_S = 2;
const WITHIN_MS = 90_000;

function scenariosOf(engine: ActivationEngine) {
	let stage: Stage;
	before(async () => void (stage = await openStage({ engine, env })));
	after(async () => await stage?.close());

	const slowTrigger = async () => {
		const slow = { amount: RUN_S, unit: 'seconds' };
		const wait = node('Wait', 'n8n-nodes-base.wait', slow, { typeVersion: 1.1 });
		return await publishTrigger(stage, { others: [wait] });
	};

	for (const [how, crash] of [
		['killed', true],
		['restarted', false],
	] as const) {
		test(`n8n ${how} while executions wait for their turn`, async () => {
			const trigger = await slowTrigger();
			const made = await trigger.complete(6);
			const whileDown = async () => void made.push(...(await trigger.complete(2)));
			await stage.restart({ crash, whileDown });
			await trigger.ranOnceEach(made, WITHIN_MS);
		});
	}
}

describeEngines('an n8n that runs one execution at a time', scenariosOf, { skip: needsOwnN8n });
