import type { INode } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import type { Failure } from '../../../../nodes/FormResponses/transport/errorMessage';
import { apiError } from '../../../../nodes/FormResponses/transport/errors';
import { formPage } from '../../../../nodes/FormResponses/transport/shapes';
import type {
	ApiRequest,
	Authentication,
	Outcome,
} from '../../../../nodes/FormResponses/transport/types';
import { everythingIn } from '../../../in-process/everything';
import { anError } from '../../../samples';
import { BASE_URL } from '../../../service';

const node: INode = {
	id: 'node-1',
	name: 'Forms',
	type: 'n8n-nodes-form-responses.formResponses',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

const listForms: ApiRequest = {
	method: 'GET',
	path: '/forms',
	scope: 'forms:read',
	purpose: 'list the forms',
	shape: '{ data: Form[], nextCursor }',
	answer: formPage,
};

const failureOf = (outcome: Outcome, failure: Partial<Failure> = {}): Failure => ({
	request: listForms,
	outcome,
	authentication: 'oAuth2',
	baseUrl: BASE_URL,
	attempts: 1,
	secrets: [],
	...failure,
});

const answer = (
	status: number,
	body: unknown = '',
	headers: Record<string, string> = {},
): Outcome => ({
	kind: 'answer',
	status,
	headers,
	body,
});

describe('the details', () => {
	test('hold status, code, hint and docs, and the description shows them', () => {
		const error = apiError(
			node,
			failureOf(answer(404, anError('not_found', 'No such form', 'Look'))),
		);
		expect(error).toBeInstanceOf(NodeApiError);
		expect(error.httpCode).toBe('404');
		expect(error.context.data).toEqual({
			status: 404,
			code: 'not_found',
			hint: 'Look',
			docs: 'https://forms.example.com/docs',
		});
		expect(error.description).toBe(
			'Code: not_found\nHint: Look\nDocumentation: https://forms.example.com/docs',
		);
	});

	test.each<[string, unknown]>([
		['no body', ''],
		['HTML', '<html>'],
		['a list', ['x']],
		['null', null],
		['fields of other types', { code: 7, message: {}, hint: null, docs: [] }],
	])('are null where the service gives %s', (_, body) => {
		const error = apiError(node, failureOf(answer(418, body)));
		expect(error.context.data).toEqual({ status: 418, code: null, hint: null, docs: null });
	});
});

describe('a token never appears', () => {
	const secret = 'tok/en+with?signs&more';

	test.each<[string, Outcome]>([
		[
			'in what the service says',
			answer(401, {
				code: `c ${secret}`,
				message: `Token ${secret} has expired: Bearer ${secret}`,
				error: secret,
				hint: `Do not use ${encodeURIComponent(secret)}`,
				docs: `https://forms.example.com/docs?token=${secret}`,
			}),
		],
		['in the error only', answer(500, { error: `failed for ${secret}` })],
		['in a redirect', answer(302, '', { location: `https://${encodeURIComponent(secret)}/x` })],
		[
			'in a message of the network',
			{ kind: 'impossible', message: `Authorization: Bearer ${secret}` },
		],
	])('%s', (_, outcome) => {
		for (const authentication of ['apiKey', 'oAuth2'] as Authentication[]) {
			const failure = failureOf(outcome, { secrets: [secret], authentication });
			const text = everythingIn(apiError(node, failure));
			expect(text).not.toContain(secret);
			expect(text).not.toContain(encodeURIComponent(secret));
		}
	});

	test('not even one that is not known, behind the word Bearer or Basic', () => {
		const said = 'Got "Bearer abc.def" and bearer gh1, then Bearer x/y, and Basic bXk6Y3M=';
		const text = everythingIn(apiError(node, failureOf(answer(401, anError('x', said)))));
		expect(text).not.toMatch(/abc|gh1|x\/y|bXk6Y3M/);
	});
});

describe('ordinary words stay', () => {
	test.each([
		['form', 'No such form, said the form service'],
		['ab', 'abandoned about a table'],
		['playground', 'The playground is closed'],
		['', 'Send a valid bearer token'],
		['', 'Send "Authorization: Bearer your-token".'],
		['', 'A bearer token. A Bearer access-token, please!'],
	])('with the client secret %j: %s', (secret, text) => {
		const body = anError('unauthorized', text);
		const { message } = apiError(node, failureOf(answer(401, body), { secrets: [secret] }));
		expect(message).toContain(text);
	});
});
