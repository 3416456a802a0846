import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deployments } from './deployment.mts';
import { soak } from './soak.mts';

const SEED = Number(process.env.SOAK_SEED ?? 1);
const RESPONSES = Number(process.env.SOAK_RESPONSES ?? 1_000);

for (const deployment of deployments) {
	test(`${deployment}: ${RESPONSES} responses through faults, 0 lost, 0 twice (SOAK_SEED=${SEED})`, async (context) => {
		const show = (progress: string) => context.diagnostic(progress);
		const result = await soak({ deployment, seed: SEED, responses: RESPONSES, show });
		const { responses, lost, twice, hooks, problem } = result;
		assert.deepEqual(
			{ responses, lost, twice, hooks, problem },
			{ responses: RESPONSES, lost: [], twice: [], hooks: 1, problem: '' },
		);
	});
}
