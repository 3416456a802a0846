import type { IExecuteFunctions } from 'n8n-workflow';
import { createHook, deleteHook, getMe } from '../../../../nodes/FormResponses/transport/endpoints';
import type { ConnectOptions } from '../../../../nodes/FormResponses/transport/request';
import { connect } from '../../../../nodes/FormResponses/transport/request';
import type { Api } from '../../../../nodes/FormResponses/transport/types';
import { startClock } from '../../../clock';
import type { ProbeOptions } from '../../../in-process/probe';
import { inRun } from '../../../in-process/probe';
import { aHook, anError, anIdentity, FORM_ID, HOOK_ID } from '../../../samples';
import type { Reply } from '../../../service';
import { fakeService, fault, ok, refused } from '../../../service';

const TARGET_URL = 'https://example.com/new-response';

const askWho = async (api: Api) => await getMe(api);

const subscribe = async (api: Api) => await createHook(api, FORM_ID, TARGET_URL);

const unsubscribe = async (api: Api) => await deleteHook(api, HOOK_ID);

async function send<Result>(
	work: (api: Api, context: IExecuteFunctions) => Promise<Result>,
	options: Partial<ConnectOptions> = {},
	probe: ProbeOptions = {},
): Promise<Result> {
	const { authentication = 'oAuth2' } = options;
	return await inRun(
		async (context) => await work(await connect(context, { authentication, ...options }), context),
		{ authentication, ...probe },
	);
}

const failed = (status: number) => refused(status, anError('internal_error', 'Something broke'));

const json = { 'Content-Type': 'application/json' };

describe('a fault', () => {
	const faults: Array<[string, Reply]> = [
		['500', failed(500)],
		['502 without a body', refused(502, 'Bad gateway')],
		['503', failed(503)],
		['ECONNRESET', fault('ECONNRESET')],
		['ECONNREFUSED', fault('ECONNREFUSED')],
		['ETIMEDOUT', fault('ETIMEDOUT')],
		['ECONNABORTED', fault('ECONNABORTED')],
		['ENOTFOUND', fault('ENOTFOUND')],
		['EAI_AGAIN', fault('EAI_AGAIN')],
		['EPIPE', fault('EPIPE')],
		['an answer without a body', ok('')],
		['an answer that is cut off', ok('{"workspace": {"id"', json)],
	];

	test.each(faults)('%s: GET and DELETE are tried again, POST is not', async (_, reply) => {
		const clock = startClock();
		const service = fakeService();
		service.on('GET', '/me', reply, reply, reply, reply);
		service.on('DELETE', `/hooks/${HOOK_ID}`, reply, reply, reply, reply);
		service.on('POST', '/hooks', reply);
		for (const work of [askWho, unsubscribe, subscribe]) {
			await expect(send<unknown>(work)).rejects.toThrow(/^Could not /);
		}
		const count = (method: string) => service.sent.filter((one) => one.method === method).length;
		expect([count('GET'), count('DELETE'), count('POST')]).toEqual([4, 4, 1]);
		expect(clock.elapsed()).toBeGreaterThanOrEqual(2 * 3_000);
		expect(clock.elapsed()).toBeLessThanOrEqual(2 * 7_000);
	});

	test.each(faults)('%s: that passes is not noticed', async (_, reply) => {
		startClock();
		const service = fakeService();
		service.on('GET', '/me', reply, reply, reply, ok(anIdentity()));
		expect(await send(askWho)).toEqual(anIdentity());
	});

	test.each<[string, Reply]>([
		['400', refused(400, anError('invalid_request', 'No'))],
		['403', refused(403, anError('insufficient_scope', 'No'))],
		['404', refused(404, anError('not_found', 'No'))],
		['a bad certificate', fault('CERT_HAS_EXPIRED')],
		['another certificate', fault('UNABLE_TO_VERIFY_LEAF_SIGNATURE')],
	])('%s that stays is not tried again', async (_, reply) => {
		const clock = startClock();
		const service = fakeService();
		service.on('GET', '/me', reply);
		await expect(send(askWho)).rejects.toThrow(/^Could not identify the token/);
		expect(service.sent).toHaveLength(1);
		expect(clock.waits).toEqual([]);
	});
});

test('a service in maintenance is waited for as often as it says', async () => {
	const clock = startClock();
	const service = fakeService();
	const closed = refused(503, '<html>', { 'Retry-After': '4' });
	service.on('GET', '/me', ...Array<Reply>(8).fill(closed), ok(anIdentity()));
	expect(await send(askWho)).toEqual(anIdentity());
	expect(clock.elapsed()).toBeGreaterThanOrEqual(32_000);
	service.on('GET', '/me', refused(503, '<html>', { 'Retry-After': '3600' }));
	await expect(send(askWho)).rejects.toThrow(/failed \(503\) and asks to wait another 3600 s/);
	service.on('POST', '/hooks', closed);
	await expect(send(subscribe)).rejects.toThrow(
		/failed \(503\) and asks to wait another 4 s\. The hook may have been made/,
	);
});

describe('an answer that is not the documented one', () => {
	const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;

	const html = { 'Content-Type': 'text/html' };
	const checkUrl = 'Check that the Base URL of the credential is the address of the API.';
	const answered = 'forms.example.com answered GET /me with';
	const other = `${answered} unknown JSON. Report it to the form service.`;
	const oddIn = (place: string) =>
		`${answered} JSON whose ${place} is not as documented. Report it to the form service.`;
	const cutOff = 'the answer of forms.example.com was cut off. Try again later.';

	test.each<[string, Reply, string]>([
		['an empty body', ok(''), `${answered} an empty body. ${checkUrl}`],
		[
			'HTML',
			ok('<html><body>Welcome</body></html>', html),
			`${answered} an HTML page. ${checkUrl}`,
		],
		['truncated JSON', ok('{"workspace": {"id"', json), cutOff],
		['an array', ok([]), other],
		['null', ok('null', json), other],
		['a number', ok('7', json), other],
		['missing fields', ok({ user: null }), oddIn('workspace')],
		['numbers for strings', ok({ ...anIdentity(), scope: 7 }), oddIn('scope')],
		['deep nesting', ok(deep, json), other],
		['16 MB of text', ok('x'.repeat(16 * 1_024 * 1_024)), `${answered} plain text. ${checkUrl}`],
		['no content', refused(204), `${answered} an empty body. ${checkUrl}`],
	])('%s: the error says what came', async (_, reply, what) => {
		startClock();
		const service = fakeService();
		service.on('GET', '/me', reply, reply, reply, reply);
		await expect(send(askWho)).rejects.toThrow(`Could not identify the token: ${what}`);
		expect(service.sent).toHaveLength(4);
	});

	test('a hook that was perhaps not made (200 instead of 201) is an error', async () => {
		fakeService().on('POST', '/hooks', ok(aHook()));
		await expect(send(subscribe)).rejects.toThrow(
			/the wrong status 200\. The hook may have been made/,
		);
	});
});
