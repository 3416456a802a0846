import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { isOlderThan } from '../../../playground/n8n/version.mts';
import type { Envelope } from '../../../playground/service/client.mts';
import { eventually } from '../kit/eventually.mts';
import { hasNoSecret } from '../kit/no-secret.mts';
import { openRig, type Rig } from '../kit/real-n8n.mts';
import { byId } from '../kit/workflow-nodes.mts';

type Json = Record<string, unknown>;

const ofResponses = { path: '/responses' };
/** The fault that answers 200 with any body. */
const answerOf = (contentType: string, body: string) =>
	({ kind: 'status', status: 200, headers: { 'Content-Type': contentType }, body }) as const;
const API_KEY = 'live_playground_key';

describe('faults of the service and the network, in a real n8n', () => {
	let rig: Rig;
	let formId: string;
	let made: Envelope[];
	before(async () => void (rig = await openRig()));
	after(async () => await rig?.close());
	beforeEach(async () => {
		await rig.service.reset();
		formId = (await rig.service.addForm('Contact')).id;
		made = await rig.service.addResponses(formId, { count: 3 });
		await rig.service.forgetRequests();
	});

	/** What the editor shows of runs that failed. */
	const failedRuns: unknown[] = [];
	afterEach(async function noSecretCanBeRead() {
		await hasNoSecret(failedRuns.splice(0), rig.service);
	});

	const getAll = () => ({ operation: 'getAll', formId: byId(formId) });
	const getEach = { operation: 'get', responseId: '={{ $json.id }}' };
	const inputs = () => made.map(({ data }) => ({ id: data.responseId }));
	const statuses = async () =>
		(await rig.service.requests()).map(({ status }) => Number(status)).sort((a, b) => a - b);

	/** The message of a run that has to fail. */
	async function failure(parameters: Json, extra?: Json) {
		const execution = await rig.runAction(parameters, [{}], extra);
		assert.equal(execution.status, 'error');
		failedRuns.push(execution);
		return String(execution.data.resultData.error!.message);
	}

	test('429 is waited for as Retry-After says', async () => {
		const headers = { 'retry-after': '3' };
		await rig.service.addFault({ match: ofResponses, kind: 'status', status: 429, headers });
		assert.equal((await rig.actionOutput(getEach, inputs().slice(0, 1))).length, 1);
		const [refused, again, ...others] = await rig.service.requests();
		assert.deepEqual([refused?.status, again?.status, others], [429, 200, []]);
		const waitedMs = Date.parse(again!.at) - Date.parse(refused!.at);
		assert.ok(waitedMs >= 3_000, `${waitedMs} ms`);
	});

	test('5xx and a broken connection are tried again', async () => {
		await rig.service.addFault({ match: ofResponses, kind: 'status', status: 503, times: 2 });
		await rig.service.addFault({ match: ofResponses, kind: 'reset', times: 1 });
		assert.equal((await rig.actionOutput(getAll())).length, 3);
		assert.equal((await rig.service.requests()).length, 4);
	});

	const cuts = ['length', 'chunks', 'gzip'] as const;
	const getMe = { resource: 'account', operation: 'get' };
	const hook = (operation: string, more: Json) => ({ resource: 'hook', operation, ...more });
	const createHook = () =>
		hook('create', { formId: byId(formId), targetUrl: 'https://example.com/new' });

	for (const [name, parameters] of [
		['account: get', () => getMe],
		['form: getAll', () => ({ resource: 'form', operation: 'getAll' })],
		['response: get', () => ({ operation: 'get', responseId: made[0]!.data.responseId })],
		['response: getAll', getAll],
		['hook: delete', () => hook('delete', { hookId: made[0]!.data.responseId })],
	] as const) {
		test(`${name}: an answer that is cut off is asked for again`, async () => {
			const expected = await rig.actionOutput(parameters());
			for (const how of cuts) await rig.service.addFault({ kind: 'cutOff', how, status: 200 });
			await rig.service.forgetRequests();
			assert.deepEqual(await rig.actionOutput(parameters()), expected);
			assert.equal((await rig.service.requests()).length, 4);
			await rig.service.addFault({ kind: 'cutOff', how: 'length', status: 200, times: null });
			assert.match(
				await failure(parameters()),
				/: the answer of \S+ was cut off or changed on its way\. Try again, and look at the proxies between n8n and \S+\.$/,
			);
		});
	}

	for (const fault of [
		{ kind: 'lostReply' },
		...cuts.map((how) => ({ kind: 'cutOff', how }) as const),
	] as const) {
		test(`a hook whose answer is lost (${JSON.stringify(fault)}) may have been made, and is not made again`, async () => {
			await rig.service.addFault({ match: { path: '/hooks' }, ...fault });
			assert.match(await failure(createHook()), /\. The hook may have been made: .* second one\.$/);
			assert.equal((await rig.service.hooks()).length, 1);
		});
	}

	test('an expired access token is renewed once for many items', async () => {
		await rig.service.expireTokens();
		const items = Array.from({ length: 40 }, (_, index) => inputs()[index % 3]!);
		assert.equal((await rig.actionOutput(getEach, items)).length, 40);
		assert.equal((await statuses()).filter((status) => status === 401).length, 1);
	});

	test('an access token that expires while 50 requests are under way fails none', async () => {
		await rig.service.settings({ latencyMs: 400 });
		const items = Array.from({ length: 200 }, (_, index) => inputs()[index % 3]!);
		const running = rig.actionOutput(getEach, items);
		await eventually(async () => assert.ok((await rig.service.requests()).length > 60));
		await rig.service.expireTokens();
		assert.equal((await running).length, 200);
		const refused = (await statuses()).filter((status) => status === 401).length;
		assert.ok(refused <= 50, `${refused} were refused`);
	});

	const json = 'application/json';
	const page = '<!doctype html><p>Hello';
	for (const [name, body, contentType, says, wayOut] of [
		['empty', '', json, /with an empty body\./, /Base URL/],
		['HTML', page, 'text/html', /with an HTML page\./, /Base URL/],
		['truncated', '{"data":[', json, /was cut off/, /Try again/],
	] as const) {
		test(`a body that is ${name} is named with its request`, async () => {
			const fault = { match: ofResponses, ...answerOf(contentType, body) };
			await rig.service.addFault({ ...fault, times: null });
			const message = await failure(getAll());
			assert.match(message, new RegExp(`read the responses of form ${formId}: `));
			assert.match(message, says);
			assert.match(message, wayOut);
		});
	}

	test('a page that answers 404 is not taken for the API', async () => {
		await rig.service.addFault({ kind: 'status', status: 404, body: page });
		assert.match(await failure(getMe), /answered 404 with an HTML page .* proxy or firewall/);
		assert.equal((await rig.service.requests()).length, 1);
	});

	test('an API key that asks for forms is told so once', async () => {
		const parameters = { resource: 'form', operation: 'getAll', authentication: 'apiKey' };
		assert.equal(
			await failure(parameters),
			'Could not list the forms: an API key can only read responses. Use an OAuth2 credential instead.',
		);
		assert.equal((await rig.service.requests()).length, 1);
	});

	test('the test of a credential is not content with a page that answers 200', async () => {
		for (const { id, name } of Object.values(rig.credentials)) {
			const works = { status: 'OK', message: 'Connection successful!' };
			assert.deepEqual(await rig.n8n.testCredential(id), works);
			await rig.service.addFault({ match: { path: '/me' }, ...answerOf('text/html', page) });
			const { status, message } = await rig.n8n.testCredential(id);
			assert.equal(status, 'Error', name);
			assert.match(message, /not the form service\. Check the Base URL/);
		}
	});

	test('a redirect is not followed', async () => {
		const headers = { Location: 'https://elsewhere.example.com/api/v1' };
		await rig.service.addFault({ match: ofResponses, kind: 'status', status: 302, headers });
		assert.match(await failure(getAll()), /redirected.*elsewhere\.example\.com.*Base URL/);
		assert.equal((await rig.service.requests()).length, 1);
	});

	describe('wrong credentials say what to correct', () => {
		const refusesEmpty =
			isOlderThan('2.0') && 'n8n refuses a credential without a Base URL before the node runs';

		async function failureWith(data: Json) {
			const [authentication, type] = data.apiKey
				? (['apiKey', 'formResponsesApi'] as const)
				: (['oAuth2', 'formResponsesOAuth2Api'] as const);
			const { credentials } = await rig.addCredential(type, data);
			return await failure({ ...getAll(), authentication }, { credentials });
		}

		const ofKeys: Array<[string, (baseUrl: string) => string, RegExp, skip?: string | false]> = [
			['an empty base URL', () => '', /Base URL.*\/api\/v1/, refusesEmpty],
			['a base URL without /api/v1', (url) => url.replace('/api/v1', ''), /Base URL.*\/api\/v1/],
			['a host that does not exist', () => 'https://no.invalid/api/v1', /no\.invalid.*not found/],
			['a port where nothing listens', () => 'http://localhost:9/api/v1', /refused the connection/],
			[
				'https where the service speaks http',
				(url) => url.replace('http:', 'https:'),
				/does not speak TLS\. .* http:/,
			],
		];
		for (const [name, change, says, skip] of ofKeys) {
			test(name, { timeout: 60_000, skip }, async () => {
				const baseUrl = change(rig.service.baseUrl);
				assert.match(await failureWith({ baseUrl, apiKey: API_KEY }), says);
				assert.deepEqual(await rig.service.requests(), []);
			});
		}

		test('a key that the service does not know', async () => {
			const message = await failureWith({ apiKey: 'live_wrong_key' });
			assert.match(message, /does not accept the API key/);
			assert.equal((await rig.service.requests()).length, 1);
		});

		const ofOAuth2: Array<[string, Json, RegExp]> = [
			['a connection that was never made', {}, /never connected\. Open it, and connect it/],
			[
				'a token address that refuses',
				{ grantType: 'clientCredentials', accessTokenUrl: 'http://localhost:9/oauth/token' },
				isOlderThan('2.0')
					? /: \S+:9 cannot be reached, on the way to .*Access Token URL/
					: /could not get an access token, because (localhost:9|the Access Token URL) refused.*Access Token URL/,
			],
		];
		for (const [name, changes, says] of ofOAuth2) {
			test(name, async () => {
				const message = await failureWith(changes);
				assert.match(message, says);
				assert.doesNotMatch(message, /\*\*\*/);
				assert.deepEqual(await rig.service.requests(), []);
			});
		}
	});
});
