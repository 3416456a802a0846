import type { Measured } from '../stage/measured-node.mts';
import { publishMeasured } from '../stage/measured-node.mts';
import type { Stage } from '../stage/stage.mts';

type Authentication = 'oAuth2' | 'apiKey';

/** How the HTTP Request node can send a token; a header of its own costs n8n least. */
const requestAuthentication = {
	oAuth2: {
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'formResponsesOAuth2Api',
	},
	apiKey: { authentication: 'predefinedCredentialType', nodeCredentialType: 'formResponsesApi' },
	header: { authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth' },
};

export type Getter = (ids: string[]) => Promise<Measured>;

/** The node's Response → Get for every input item. */
export async function nodeGetter(
	stage: Stage,
	authentication: Authentication,
	options: Record<string, unknown> = {},
): Promise<Getter> {
	return await publishMeasured(stage, {
		type: 'n8n-nodes-form-responses.formResponses',
		parameters: {
			authentication,
			resource: 'response',
			operation: 'get',
			responseId: '={{ $json.id }}',
			options,
		},
	});
}

/** The HTTP Request node for every input item: all at once unless it is given batches. */
export async function requestGetter(
	stage: Stage,
	authentication: keyof typeof requestAuthentication,
	batch?: { batchSize: number; batchInterval: number },
): Promise<Getter> {
	return await publishMeasured(stage, {
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			url: `=${stage.service.baseUrl}/responses/{{ $json.id }}`,
			...requestAuthentication[authentication],
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
