import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deployments } from './deployment.mts';
import { soak } from './soak.mts';

const seed = Number(process.env.SOAK_SEED ?? 1);
const responses = Number(process.env.SOAK_RESPONSES ?? 250);

// They wait more than they work.
describe(`${responses} responses through faults (SOAK_SEED=${seed})`, { concurrency: true }, () => {
	for (const deployment of deployments) {
		test(`${deployment}: 0 lost, 0 twice`, async (context) => {
			const show = (progress: string) => context.diagnostic(progress);
			const result = await soak({ deployment, seed, responses, show });
			const { completed, lost, twice, hooks, problem } = result;
			assert.deepEqual(
				{ completed, lost, twice, hooks, problem },
				{ completed: responses, lost: [], twice: [], hooks: 1, problem: '' },
			);
		});
	}
});
