import type { Measured } from '../stage/measured-node.mts';
import { publishMeasured } from '../stage/measured-node.mts';
import type { Stage } from '../stage/stage.mts';

type Authentication = 'oAuth2' | 'apiKey';

const credentialTypes: Record<Authentication, string> = {
	oAuth2: 'formResponsesOAuth2Api',
	apiKey: 'formResponsesApi',
};

export type Getter = (ids: string[]) => Promise<Measured>;

/** The node's Response → Get for every input item, with default settings. */
export async function nodeGetter(stage: Stage, authentication: Authentication): Promise<Getter> {
	return await publishMeasured(stage, {
		type: 'n8n-nodes-form-responses.formResponses',
		parameters: {
			authentication,
			resource: 'response',
			operation: 'get',
			responseId: '={{ $json.id }}',
		},
	});
}

/** The HTTP Request node for every input item: all at once unless it is given batches. */
export async function requestGetter(
	stage: Stage,
	authentication: Authentication,
	batch?: { batchSize: number; batchInterval: number },
): Promise<Getter> {
	return await publishMeasured(stage, {
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			url: `=${stage.service.baseUrl}/responses/{{ $json.id }}`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: credentialTypes[authentication],
			options: batch ? { batching: { batch } } : {},
		},
	});
}

/** The time of a run that must give every response. */
export async function timeOfAll(get: Getter, ids: string[]): Promise<number> {
	const { ms, items, error } = await get(ids);
	if (error !== undefined) throw new Error(error);
	if (items !== ids.length) throw new Error(`${items} items instead of ${ids.length}`);
	return ms;
}
