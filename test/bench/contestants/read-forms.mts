import { PEERS } from '../peers/install.mts';
import type { Stage } from '../stage/stage.mts';
import { publishMeasured } from '../stage/measured-node.mts';

/** The three ways to read all forms, each giving its node's time in milliseconds. */
export async function formReaders(stage: Stage) {
	const { service } = stage;
	const node = await publishMeasured(stage, {
		type: 'n8n-nodes-form-responses.formResponses',
		parameters: { resource: 'form', operation: 'getAll', returnAll: true },
	});
	const loop = await publishMeasured(stage, { type: `${PEERS}.formsLoop` });
	const request = await publishMeasured(stage, {
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			url: `${service.baseUrl}/forms`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'formResponsesOAuth2Api',
			sendQuery: true,
			queryParameters: { parameters: [{ name: 'limit', value: '100' }] },
			options: {
				pagination: {
					pagination: {
						paginationMode: 'updateAParameterInEachRequest',
						parameters: {
							parameters: [
								{ type: 'qs', name: 'cursor', value: '={{ $response.body?.nextCursor }}' },
							],
						},
						paginationCompleteWhen: 'other',
						completeExpression: '={{ !$response.body.nextCursor }}',
					},
				},
			},
		},
	});

	/** The HTTP Request node gives a page as one item. */
	const reading = (run: typeof node, formsPerItem: number) => async (forms: number) => {
		const { ms, items, error } = await run();
		if (error !== undefined) throw new Error(error);
		const expected = Math.ceil(forms / formsPerItem);
		if (items !== expected) throw new Error(`${items} items instead of ${expected}`);
		return ms;
	};
	return {
		node: reading(node, 1),
		loop: reading(loop, 1),
		request: reading(request, 100),
	};
}
