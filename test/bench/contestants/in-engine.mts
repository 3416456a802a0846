import { join } from 'node:path';
import type { Outcome } from '../engine/job.mts';
import { runInEngine } from '../engine/run.mts';
import type { Stage } from '../stage/stage.mts';

const FORMS_PER_PAGE = 100;

function common({ packageFolder, service }: Stage) {
	return {
		credentialFile: join(packageFolder, 'dist/credentials/FormResponsesOAuth2Api.credentials.js'),
		baseUrl: service.baseUrl,
		nodeFile: join(packageFolder, 'dist/nodes/FormResponses/FormResponses.node.js'),
		className: 'FormResponses',
	};
}

/** What reading all forms takes of the heap. */
export async function heapOfForms(stage: Stage, forms: number): Promise<Outcome> {
	const outcome = await runInEngine({
		...common(stage),
		accessToken: await stage.service.accessToken(),
		parameters: {
			authentication: 'oAuth2',
			resource: 'form',
			operation: 'getAll',
			returnAll: true,
			filters: {},
			options: {},
		},
		inputIds: [''],
		requests: Math.ceil(forms / FORMS_PER_PAGE),
	});
	if (outcome.items !== forms) throw new Error(`${outcome.items} items instead of ${forms}`);
	return outcome;
}

/** What reading responses one by one takes of the heap. */
export async function heapOfGets(stage: Stage, ids: string[]): Promise<Outcome> {
	const outcome = await runInEngine({
		...common(stage),
		accessToken: await stage.service.accessToken(),
		parameters: {
			authentication: 'oAuth2',
			resource: 'response',
			operation: 'get',
			responseId: '={{ $json.id }}',
			simplify: true,
			options: {},
		},
		inputIds: ids,
		requests: ids.length,
	});
	if (outcome.items !== ids.length) {
		throw new Error(`${outcome.items} items instead of ${ids.length}`);
	}
	return outcome;
}
