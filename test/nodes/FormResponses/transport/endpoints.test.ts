import {
	createHook,
	deleteHook,
	getMe,
	getResponse,
	listForms,
	listResponses,
} from '../../../../nodes/FormResponses/transport/endpoints';
import type { Api, ApiRequest } from '../../../../nodes/FormResponses/transport/types';
import {
	aForm,
	aHook,
	anIdentity,
	aResponse,
	FORM_ID,
	HOOK_ID,
	OTHER_FORM_ID,
	RESPONSE_ID,
} from '../../../samples';
import { BASE_URL } from '../../../service';

/** Keeps what would be sent and answers it with a body. */
function apiThatAnswers(body: unknown) {
	const sent: ApiRequest[] = [];
	const warnings: string[] = [];
	const api: Api = {
		baseUrl: BASE_URL,
		authentication: 'oAuth2',
		async send<Body>(request: ApiRequest) {
			sent.push(request);
			expect(request.answer(body)).toBeUndefined();
			return body as Body;
		},
		warn: (message) => warnings.push(message),
	};
	return { api, sent, warnings };
}

type Call = (api: Api) => Promise<unknown>;

/** All endpoints of `playground/service/openapi.json`. */
test.each<[string, Call, unknown, unknown, Partial<ApiRequest>]>([
	[
		'GET /me',
		getMe,
		anIdentity(),
		anIdentity(),
		{
			method: 'GET',
			path: '/me',
			purpose: 'identify the token',
		},
	],
	[
		'GET /forms',
		async (api) => await listForms(api, { limit: 100 }),
		{ data: [aForm()], nextCursor: null },
		{ data: [aForm()], nextCursor: null },
		{
			method: 'GET',
			path: '/forms',
			scope: 'forms:read',
			query: { limit: 100 },
			purpose: 'list the forms',
		},
	],
	[
		'GET /forms, a further page',
		async (api) => await listForms(api, { limit: 7, cursor: 'c' }),
		{ data: [aForm()], nextCursor: 'd' },
		{ data: [aForm()], nextCursor: 'd' },
		{ method: 'GET', path: '/forms', scope: 'forms:read', query: { limit: 7, cursor: 'c' } },
	],
	[
		'GET /forms/{formId}/responses',
		async (api) => await listResponses(api, FORM_ID, 25),
		{ data: [aResponse()] },
		[aResponse()],
		{
			method: 'GET',
			path: `/forms/${FORM_ID}/responses`,
			scope: 'responses:read',
			query: { limit: 25 },
			purpose: `read the responses of form ${FORM_ID}`,
		},
	],
	[
		'GET /responses/{responseId}',
		async (api) => await getResponse(api, RESPONSE_ID),
		aResponse(),
		aResponse(),
		{
			method: 'GET',
			path: `/responses/${RESPONSE_ID}`,
			scope: 'responses:read',
			purpose: `read response ${RESPONSE_ID}`,
		},
	],
	[
		'POST /hooks',
		async (api) => await createHook(api, FORM_ID, 'https://example.com/a?b=c'),
		aHook(),
		aHook(),
		{
			method: 'POST',
			path: '/hooks',
			scope: 'hooks:write',
			body: { formId: FORM_ID, targetUrl: 'https://example.com/a?b=c' },
			purpose: `subscribe to form ${FORM_ID}`,
		},
	],
	[
		'DELETE /hooks/{hookId}',
		async (api) => await deleteHook(api, HOOK_ID),
		'',
		undefined,
		{
			method: 'DELETE',
			path: `/hooks/${HOOK_ID}`,
			scope: 'hooks:write',
			absentIsSuccess: true,
			purpose: `remove hook ${HOOK_ID}`,
		},
	],
])('%s', async (_, call, body, result, request) => {
	const { api, sent } = apiThatAnswers(body);
	expect(await call(api)).toEqual(result);
	expect(sent).toEqual([expect.objectContaining(request)]);
	expect(sent[0].scope).toBe(request.scope);
});

test('of a list, what is odd comes as it is, and what cannot be identified is named and left out', async () => {
	const odd = aResponse({ responseId: HOOK_ID, answers: [{ label: null }] as never });
	const unknown = { ...aResponse(), data: { ...aResponse().data, completedAt: null } };
	const { api, warnings } = apiThatAnswers({ data: [odd, unknown, aResponse()] });
	expect(await listResponses(api, FORM_ID, 25)).toEqual([odd, aResponse()]);
	expect(warnings).toEqual([
		`A response to form ${FORM_ID} was left out, because data[1].data.completedAt is not as the API is documented.`,
	]);
});

test('of a list of forms too, and a response of another form is none of the list', async () => {
	const odd = { ...aForm(), title: null };
	const forms = apiThatAnswers({ data: [odd, { ...aForm(), id: 7 }], nextCursor: null });
	expect((await listForms(forms.api, { limit: 2 })).data).toEqual([odd]);
	const other = aResponse({ formId: OTHER_FORM_ID });
	const responses = apiThatAnswers({ data: [other, aResponse()] });
	expect(await listResponses(responses.api, FORM_ID, 25)).toEqual([aResponse()]);
	expect([...forms.warnings, ...responses.warnings]).toEqual([
		'A form was left out, because data[1].id is not as the API is documented.',
		`A response to form ${FORM_ID} was left out, because data[0].data.formId is not as the API is documented.`,
	]);
});

test('no more responses come than were asked for', async () => {
	const { api } = apiThatAnswers({ data: [aResponse(), aResponse({ responseId: HOOK_ID })] });
	expect(await listResponses(api, FORM_ID, 1)).toEqual([aResponse()]);
});

test('a response that is twice in a list comes once', async () => {
	const again = aResponse({ completedAt: '2026-01-01T00:00:00Z' });
	const { api } = apiThatAnswers({ data: [aResponse(), aResponse(), again] });
	expect(await listResponses(api, FORM_ID, 25)).toEqual([aResponse(), again]);
});

test.each(['../me', 'a/b', '', ' ', '?a=b', 'ü'])(
	'%j cannot leave its place in the path',
	async (id) => {
		const paths = [
			(api: Api) => listResponses(api, id, 1).catch(() => undefined),
			(api: Api) => getResponse(api, id).catch(() => undefined),
			(api: Api) => deleteHook(api, id).catch(() => undefined),
		];
		for (const call of paths) {
			const sent: ApiRequest[] = [];
			await call({
				baseUrl: BASE_URL,
				authentication: 'oAuth2',
				async send(request) {
					sent.push(request);
					return undefined as never;
				},
				warn: () => {},
			});
			const segments = sent[0].path.split('/').filter(Boolean).length;
			expect(segments).toBeLessThanOrEqual(sent[0].path.startsWith('/forms') ? 3 : 2);
			expect(sent[0].path).not.toMatch(/[?#\s]/);
		}
	},
);
