import type { JsonObject } from '../../playground/n8n/types.mts';
import type { Rig } from '../../test/n8n/kit/real-n8n.mts';
import { node, PACKAGE } from '../../test/n8n/kit/workflow-nodes.mts';
import { PEERS } from './rig.mts';

export const MEASURED = 'Measured';

const ours = (parameters: JsonObject) => node(MEASURED, `${PACKAGE}.formResponses`, parameters);

function httpRequest(url: string, nodeCredentialType = 'formResponsesOAuth2Api', options = {}) {
	const authentication = 'predefinedCredentialType';
	const parameters = { url, authentication, nodeCredentialType, options };
	return node(MEASURED, 'n8n-nodes-base.httpRequest', parameters, { typeVersion: 4.2 });
}

/** Form → Get Many with Return All. */
export const formsNode = ours({ resource: 'form', operation: 'getAll', returnAll: true });

export const formsLoop = node(MEASURED, `${PEERS}.formsLoop`);

/** Gives a page as one item. */
export function formsRequest({ service }: Rig) {
	const cursor = { type: 'qs', name: 'cursor', value: '={{ $response.body?.nextCursor }}' };
	const pagination = {
		paginationMode: 'updateAParameterInEachRequest',
		parameters: { parameters: [cursor] },
		paginationCompleteWhen: 'other',
		completeExpression: '={{ !$response.body.nextCursor }}',
	};
	return httpRequest(`${service.baseUrl}/forms?limit=100`, undefined, {
		pagination: { pagination },
	});
}

const responseId = '={{ $json.id }}';

/** Response → Get for every input item, with default settings. */
export const getNode = (authentication = 'oAuth2') =>
	ours({ authentication, resource: 'response', operation: 'get', responseId });

/** A request for every input item, all at once. */
export const getRequest = ({ service }: Rig, credentialType?: string) =>
	httpRequest(`=${service.baseUrl}/responses/{{ $json.id }}`, credentialType);
