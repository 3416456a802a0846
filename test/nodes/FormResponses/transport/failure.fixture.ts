import type { INode } from 'n8n-workflow';
import type { Failure, ApiRequest } from '../../../../nodes/FormResponses/transport/types';
import { formPage } from '../../../../nodes/FormResponses/transport/shapes';
import { BASE_URL } from '../../../service';

export const node: INode = {
	id: 'node-1',
	name: 'Forms',
	type: 'n8n-nodes-form-responses.formResponses',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

export const listForms: ApiRequest = {
	method: 'GET',
	path: '/forms',
	scope: 'forms:read',
	purpose: 'list the forms',
	answer: formPage,
};

export const failureOf = (
	outcome: Failure['outcome'],
	failure: Partial<Failure> = {},
): Failure => ({
	request: listForms,
	outcome,
	authentication: 'oAuth2',
	baseUrl: BASE_URL,
	attempts: 1,
	secrets: [],
	...failure,
});

export const answer = (
	status: number,
	body: unknown = '',
	headers: Record<string, string> = {},
): Failure['outcome'] => ({
	kind: 'answer',
	status,
	headers,
	body,
});
