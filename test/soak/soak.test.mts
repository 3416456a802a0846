import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { DeploymentName } from './deployment.mts';
import { soak } from './soak.mts';

const SEED = Number(process.env.SOAK_SEED ?? 1);
const RESPONSES = Number(process.env.SOAK_RESPONSES ?? 500);

const goesThrough = (deployment: DeploymentName) =>
	void test(`${deployment}: ${RESPONSES} responses through faults, 0 lost, 0 twice (SOAK_SEED=${SEED})`, async (context) => {
		const show = (progress: string) => context.diagnostic(progress);
		const result = await soak({ deployment, seed: SEED, responses: RESPONSES, show });
		const { responses, lost, twice, hooks, problem } = result;
		assert.deepEqual(
			{ responses, lost, twice, hooks, problem },
			{ responses: RESPONSES, lost: [], twice: [], hooks: 1, problem: '' },
		);
	});

// Both wait more than they work.
describe('one process', { concurrency: true }, () => {
	goesThrough('publication');
	goesThrough('activeWorkflowManager');
});

describe('queue mode', () => {
	goesThrough('queue');
});
