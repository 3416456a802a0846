import type { IDataObject } from 'n8n-workflow';
import { startClock } from '../../../kit/clock';
import { ACCESS_TOKEN, API_KEY } from '../../../kit/credentials';
import * as samples from '../../../kit/samples';
import type { Reply } from '../../../kit/formService';
import { fakeService, fault, ok, reply } from '../../../kit/formService';
import { act, formBy, TARGET_URL } from './operation.fixture';

const { aForm, aHook, anError, anIdentity, aResponse, formsOf } = samples;
const { FORM_ID, HOOK_ID, RESPONSE_ID, SIMPLIFIED } = samples;

/** What each operation asks of the service, and how an error calls that. */
const requests: Record<string, [call: string, purpose: string]> = {
	'account:get': ['GET /me', 'identify the token'],
	'form:getAll': ['GET /forms', 'list the forms'],
	'hook:create': ['POST /hooks', `subscribe to form ${FORM_ID}`],
	'hook:delete': [`DELETE /hooks/${HOOK_ID}`, `remove hook ${HOOK_ID}`],
	'response:get': [`GET /responses/${RESPONSE_ID}`, `read response ${RESPONSE_ID}`],
	'response:getAll': [`GET /forms/${FORM_ID}/responses`, `read the responses of form ${FORM_ID}`],
	'response:getNew': [`GET /forms/${FORM_ID}/responses`, ''],
};

/** Lets the service answer an operation so often. */
function serve(operation: string, reply: Reply, times = 1) {
	const service = fakeService();
	const [method, path] = requests[operation][0].split(' ');
	service.on(method, path, ...Array<Reply>(times).fill(reply));
	return service;
}

const apiKey = { authentication: 'apiKey' };
const asKey = { authorization: `Bearer ${API_KEY}` };
const asking = (limit: string) => ({ query: { limit } });
const notFound = reply(404, anError('not_found', 'Not here', 'Check the ID'));
const removed = { deleted: true, id: HOOK_ID };
const noUser = anIdentity({ user: null });
const hook = aHook({ targetUrl: TARGET_URL });
const subscription = { body: { formId: FORM_ID, targetUrl: TARGET_URL } };
const page = ok({ data: formsOf(3), nextCursor: null });
const none = ok({ data: [] });
const list = ok({ data: [aResponse()] });
const response = ok(aResponse());
const inCapitals = { responseId: ` ${RESPONSE_ID.toUpperCase()} ` };
const inList = { formId: { ...formBy('list', FORM_ID), cachedResultName: 'Contact' } };
const inUrl = { formId: formBy('url', `https://forms.example.com/forms/${FORM_ID}/x`) };
const raw = { options: { answerKeys: 'fieldId', answerValues: 'rawValue' } };

test.each<[string, IDataObject, Reply, jsons: object[], sent?: object]>([
	['account:get', {}, ok(anIdentity()), [anIdentity()]],
	['account:get', apiKey, ok(noUser), [noUser], asKey],
	['form:getAll', {}, page, formsOf(3), asking('50')],
	['hook:create', { targetUrl: ` ${TARGET_URL} ` }, reply(201, hook), [hook], subscription],
	['hook:delete', {}, reply(204), [removed]],
	['hook:delete', {}, notFound, [removed]],
	['response:get', inCapitals, response, [SIMPLIFIED]],
	['response:get', { simplify: false }, response, [aResponse()]],
	['response:get', raw, response, [{ ...SIMPLIFIED, answers: { 'field-1': 'Robin' } }]],
	['response:getAll', apiKey, list, [SIMPLIFIED], { ...asKey, ...asking('10') }],
	['response:getAll', inList, none, [], asking('10')],
	['response:getAll', inUrl, none, [], asking('10')],
	['response:getAll', { responseLimit: 1 }, none, [], asking('1')],
	['response:getAll', { responseLimit: 25 }, none, [], asking('25')],
	['response:getNew', apiKey, list, [SIMPLIFIED], { ...asKey, ...asking('25') }],
])(
	'%s with %j sends one request, and gives what comes',
	async (operation, parameters, reply, jsons, sent = {}) => {
		const service = serve(operation, reply);
		const { items, error } = await act(operation, parameters);
		expect(error).toBeUndefined();
		expect(items).toEqual(jsons.map((json) => ({ json, pairedItem: { item: 0 } })));
		const [method, path] = requests[operation][0].split(' ');
		const plain = { query: {}, body: undefined, authorization: `Bearer ${ACCESS_TOKEN}` };
		expect(service.sent).toEqual([{ method, path, ...plain, ...sent }]);
	},
);

const { data, ...rest } = aResponse();
const unanswered = ok({ ...rest, data: { ...data, answers: 'none' } });
const unidentified = ok({ data: [{ ...aForm(), id: 7 }], nextCursor: null });
const noResponses = ok({ data: [{ id: 1 }, { id: 2 }] });
const noScope = reply(403, anError('insufficient_scope', 'Scope missing', 'Use another token'));
const tooMany = reply(400, anError('invalid_request', 'Too many subscriptions'));

const READS_ONLY = 'an API key can only read responses. Use an OAuth2 credential instead.';
const NO_ACCESS =
	'does not exist or belongs to another workspace. Check its ID, and the workspace of the credential.';
const MAY_BE_MADE =
	'The hook may have been made: the API cannot list hooks, and trying again may make a second one.';
const MAKE_ROOM =
	'Unpublish a workflow whose Form Responses Trigger is no longer needed, or remove a hook with Hook: Delete.';
const OTHER_ERROR =
	'forms.example.com answered 404 with an HTML page rather than an API error. Check the Base URL of the credential, and any proxy or firewall on the way.';
const isOdd = (operation: string, what: string) =>
	`forms.example.com answered ${requests[operation][0]} with ${what}. Report it to the form service.`;
const oddAt = (operation: string, place: string) =>
	isOdd(operation, `JSON whose ${place} is not as documented`);

test.each<[string, times: number, Reply, told: string, IDataObject?]>([
	['form:getAll', 1, noScope, READS_ONLY, apiKey],
	['form:getAll', 4, unidentified, oddAt('form:getAll', 'data[0].id')],
	['hook:create', 1, noScope, READS_ONLY, apiKey],
	['hook:create', 1, tooMany, `Too many subscriptions. ${MAKE_ROOM}`],
	['hook:create', 1, reply(500), `the form service failed (500). ${MAY_BE_MADE}`],
	[
		'hook:create',
		1,
		fault('ECONNRESET'),
		`the connection to forms.example.com broke off. ${MAY_BE_MADE}`,
	],
	['hook:delete', 1, reply(404, '<html>Not found</html>'), OTHER_ERROR],
	['hook:delete', 4, ok({ maintenance: true }), isOdd('hook:delete', 'unknown JSON')],
	['response:get', 1, notFound, `the response ${NO_ACCESS}`],
	['response:get', 4, unanswered, oddAt('response:get', 'data.answers')],
	['response:getAll', 1, notFound, `the form ${NO_ACCESS}`],
	['response:getAll', 4, noResponses, oddAt('response:getAll', 'data[0].data')],
])(
	'%s fails after %i requests with what is wrong',
	async (operation, times, reply, told, parameters = {}) => {
		startClock();
		const service = serve(operation, reply, times);
		const { items, error } = await act(operation, parameters);
		const [call, purpose] = requests[operation];
		expect([items, error?.message]).toEqual([[], `Could not ${purpose}: ${told}`]);
		expect(service.calls()).toEqual(Array(times).fill(call));
	},
);

test('a lost answer is no loss, as deleting may be repeated', async () => {
	startClock();
	const service = serve('hook:delete', fault('ECONNRESET'));
	service.on('DELETE', `/hooks/${HOOK_ID}`, reply(204));
	expect((await act('hook:delete')).items[0].json).toEqual(removed);
});

const ADDRESS = 'a whole address that begins with http:// or https://.';
const A_UUID = 'a UUID such as 3f1c9a52-7d0e-4b8a-9c26-5e41d7f0a8b3.';
const NUMBER = 'a whole number';
const addresses = ['a.b', 'ftp://a.b', 'xhttp://a.b', 'httpx://a.b', 'javascript:x', '//a.b'];

test.each<[string, parameter: string, displayName: string, rule: string, values: unknown[]]>([
	['form:getAll', 'limit', 'Limit', `${NUMBER} of at least 1.`, [0, -1, 1.5, NaN]],
	['hook:create', 'targetUrl', 'Target URL', ADDRESS, [...addresses, '   ']],
	['hook:delete', 'hookId', 'Hook ID', A_UUID, ['../me', 'a/b', ' ']],
	['response:get', 'responseId', 'Response ID', A_UUID, ['../me', 'a/b', ' ']],
	[
		'response:getAll',
		'responseLimit',
		'Limit',
		`${NUMBER} from 1 to 25, the most the API gives.`,
		[0, 26, 1.5, NaN],
	],
])(
	'%s refuses a wrong %s by name, before any request',
	async (operation, parameter, displayName, rule, values) => {
		const service = fakeService();
		for (const value of values) {
			const { error } = await act(operation, { [parameter]: value } as IDataObject);
			const quoted = typeof value === 'string' ? `"${value}"` : String(value);
			const got = /^"\s*"$/.test(quoted) ? 'empty' : quoted;
			expect(error?.message).toBe(`The parameter "${displayName}" is ${got}. Enter ${rule}`);
		}
		expect(service.sent).toEqual([]);
	},
);
