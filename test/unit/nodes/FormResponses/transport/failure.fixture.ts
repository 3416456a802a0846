import type { INode } from 'n8n-workflow';
import { FORM_LIST } from '../../../../../nodes/FormResponses/transport/endpoints';
import { apiError } from '../../../../../nodes/FormResponses/transport/errors';
import type { Failure } from '../../../../../nodes/FormResponses/transport/types';
import { BASE_URL } from '../../../kit/formService';

const node = { name: 'Forms' } as INode;

/** The error for a list of forms with OAuth2, unless told otherwise. */
export const errorOf = (outcome: Failure['outcome'], failure: Partial<Failure> = {}) =>
	apiError(node, {
		request: FORM_LIST,
		outcome,
		authentication: 'oAuth2',
		baseUrl: BASE_URL,
		attempts: 1,
		secrets: [],
		...failure,
	});
