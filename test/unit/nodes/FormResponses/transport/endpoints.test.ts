import * as endpoints from '../../../../../nodes/FormResponses/transport/endpoints';
import type { Api, ApiRequest } from '../../../../../nodes/FormResponses/transport/types';
import * as samples from '../../../kit/samples';
import { BASE_URL } from '../../../kit/formService';

const { createHook, deleteHook, getMe, getResponse, listForms, listLatest, listResponses } =
	endpoints;
const { aForm, aHook, anIdentity, aResponse } = samples;
const { FORM_ID, HOOK_ID, OTHER_FORM_ID, RESPONSE_ID } = samples;

/** Keeps what would be sent and answers it with a body. */
function apiThatAnswers(body: unknown) {
	const sent: ApiRequest[] = [];
	const warnings: string[] = [];
	const api: Api = {
		baseUrl: BASE_URL,
		authentication: 'oAuth2',
		async send<Body>(request: ApiRequest) {
			sent.push(request);
			return body as Body;
		},
		answeredAt: () => undefined,
		warn: (message) => warnings.push(message),
	};
	return { api, sent, warnings };
}

type Call = (api: Api) => Promise<unknown>;

const page = { limit: 7, cursor: 'c' };
const readPage: Call = async (api) => await listForms(api, page);
const readList: Call = async (api) => ({ data: await listResponses(api, FORM_ID, 25) });
const read: Call = async (api) => await getResponse(api, RESPONSE_ID);
const hook = { formId: FORM_ID, targetUrl: 'https://example.com/a?b=c' };
const subscribe: Call = async (api) => await createHook(api, hook.formId, hook.targetUrl);
const unsubscribe: Call = async (api) => await deleteHook(api, HOOK_ID);

const forms = { data: [aForm()], nextCursor: 'd' };
const ofForms: Partial<ApiRequest> = { scope: 'forms:read', query: page };
const ofResponses: Partial<ApiRequest> = { scope: 'responses:read' };
const ofHooks: Partial<ApiRequest> = { scope: 'hooks:write' };
const PATH = `/forms/${FORM_ID}/responses`;
const READ_LIST = `read the responses of form ${FORM_ID}`;
const ofList: Partial<ApiRequest> = { ...ofResponses, query: { limit: 25 } };
const ofRemoval: Partial<ApiRequest> = { ...ofHooks, absentIsSuccess: true };

/** All endpoints of `playground/service/openapi.yaml`. */
test.each<[endpoint: string, purpose: string, Call, body: unknown, Partial<ApiRequest>]>([
	['GET /me', 'identify the token', getMe, anIdentity(), {}],
	['GET /forms', 'list the forms', readPage, forms, ofForms],
	[`GET ${PATH}`, READ_LIST, readList, { data: [aResponse()] }, ofList],
	[`GET /responses/${RESPONSE_ID}`, `read response ${RESPONSE_ID}`, read, aResponse(), ofResponses],
	['POST /hooks', `subscribe to form ${FORM_ID}`, subscribe, aHook(), { ...ofHooks, body: hook }],
	[`DELETE /hooks/${HOOK_ID}`, `remove hook ${HOOK_ID}`, unsubscribe, undefined, ofRemoval],
])('%s', async (endpoint, purpose, call, body, request) => {
	const [method, path] = endpoint.split(' ');
	const { api, sent } = apiThatAnswers(body);
	expect(await call(api)).toEqual(body);
	expect(sent).toEqual([{ method, path, purpose, ...request, answer: expect.any(Function) }]);
	expect(sent[0].answer(body)).toBeUndefined();
});

test('of a list, what is odd comes as it is, and what cannot be identified is named and left out', async () => {
	const odd = aResponse({ responseId: HOOK_ID, answers: [{ label: null }] as never });
	const unknown = aResponse({ completedAt: null as never });
	const ofOther = aResponse({ formId: OTHER_FORM_ID });
	const listed = apiThatAnswers({ data: [odd, unknown, ofOther, aResponse()] });
	expect(await listResponses(listed.api, FORM_ID, 25)).toEqual([odd, aResponse()]);
	expect(listed.warnings).toEqual(
		['data[1].data.completedAt', 'data[2].data.formId'].map(
			(place) =>
				`A response to form ${FORM_ID} was left out, because ${place} is not as the API is documented.`,
		),
	);

	const untitled = { ...aForm(), title: null };
	const page = apiThatAnswers({ data: [untitled, { ...aForm(), id: 7 }], nextCursor: null });
	expect((await listForms(page.api, { limit: 2 })).data).toEqual([untitled]);
	expect(page.warnings).toEqual([
		'A form was left out, because data[1].id is not as the API is documented.',
	]);
});

test('a response that is twice in a list comes once, and no more than were asked for', async () => {
	const again = aResponse({ completedAt: '2026-01-01T00:00:00Z' });
	const { api } = apiThatAnswers({ data: [aResponse(), aResponse(), again] });
	expect(await listResponses(api, FORM_ID, 25)).toEqual([aResponse(), again]);
	expect(await listResponses(api, FORM_ID, 1)).toEqual([aResponse()]);
	expect((await listLatest(api, FORM_ID, 3)).isFull).toBe(true);
	expect((await listLatest(api, FORM_ID, 4)).isFull).toBe(false);
});

test.each<[(api: Api, id: string) => Promise<unknown>, string]>([
	[async (api, id) => await listResponses(api, id, 1), '/forms/..%2Fme%3Fa%3Db%20/responses'],
	[async (api, id) => await getResponse(api, id), '/responses/..%2Fme%3Fa%3Db%20'],
	[async (api, id) => await deleteHook(api, id), '/hooks/..%2Fme%3Fa%3Db%20'],
])('an ID cannot leave its place in the path', async (call, path) => {
	const { api, sent } = apiThatAnswers({ data: [] });
	await call(api, '../me?a=b ');
	expect(sent[0].path).toBe(path);
});
