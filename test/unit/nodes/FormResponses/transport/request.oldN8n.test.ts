import type { IExecuteFunctions } from 'n8n-workflow';
import { getMe } from '../../../../../nodes/FormResponses/transport/endpoints';
import { connect } from '../../../../../nodes/FormResponses/transport/connect';
import type { Authentication } from '../../../../../nodes/FormResponses/transport/types';
import { startClock } from '../../../kit/clock';
import { inRun } from '../../../kit/inRun';
import { anError, anIdentity } from '../../../kit/samples';
import {
	fakeService,
	fault,
	ok,
	reply,
	type FakeService,
	type Reply,
} from '../../../kit/formService';
import { expired, limited } from './request.fixture';

/**
 * What n8n 1 does otherwise (seen in 1.123.81): it ignores all statuses or none, and the errors of its HTTP
 * client lose their cause, and so the headers.
 */
function asInN8n1(context: IExecuteFunctions) {
	const send = context.helpers.httpRequestWithAuthentication;
	const sendAsBefore: typeof send = async function (this, type, options, more) {
		const ignoreHttpStatusErrors = Boolean(options.ignoreHttpStatusErrors);
		const sending = send.call(this, type, { ...options, ignoreHttpStatusErrors }, more);
		return await (sending as Promise<unknown>).catch((error: Error) => {
			throw Object.assign(error, { cause: undefined });
		});
	};
	Object.assign(context.helpers, { httpRequestWithAuthentication: sendAsBefore });
}

const askWho = async (authentication: Authentication = 'oAuth2') =>
	await inRun(
		async (context) => {
			asInN8n1(context);
			return await getMe(await connect(context, { authentication }));
		},
		{ authentication },
	);

let service: FakeService;
let server: FakeService;

beforeEach(() => {
	startClock();
	service = fakeService();
	server = fakeService('https://forms.example.com/oauth');
});

test('an expired OAuth2 token is renewed', async () => {
	server.always('POST', '/token', ok({ access_token: 'fresh', token_type: 'Bearer' }));
	service.always('GET', '/me', ({ authorization }) =>
		authorization === 'Bearer fresh' ? ok(anIdentity()) : expired,
	);
	expect(await askWho()).toEqual(anIdentity());
	expect(server.calls()).toEqual(['POST /token']);
});

test.each<[string, Reply]>([
	['a 503', reply(503)],
	['a 429', limited('3')],
	['a broken connection', fault('ECONNRESET')],
	['an answer that cannot be unpacked', fault('Z_DATA_ERROR')],
])('%s is tried again', async (_, reply) => {
	for (const authentication of ['oAuth2', 'apiKey'] as const) {
		service.on('GET', '/me', reply, ok(anIdentity()));
		expect(await askWho(authentication)).toEqual(anIdentity());
	}
	expect(service.sent).toHaveLength(4);
});

test.each<[string, Reply, RegExp]>([
	['a 403', reply(403, anError('forbidden', 'Not yours', 'Ask')), /: Not yours\. Ask\.$/],
	['a bad certificate', fault('DEPTH_ZERO_SELF_SIGNED_CERT'), / certificate of forms\.example/],
])('%s has its own text', async (_, reply, message) => {
	service.on('GET', '/me', reply);
	await expect(askWho()).rejects.toThrow(message);
});

test.each<[string, Reply, RegExp]>([
	['a page', ok('<html></html>', { 'Content-Type': 'text/html' }), /Expected JSON .*Reconnect/],
	['a refusal', reply(400, { error: 'invalid_grant' }), /econnect/],
])('%s instead of a token is not taken for an answer of the service', async (_, reply, message) => {
	server.always('POST', '/token', reply);
	service.always('GET', '/me', expired);
	await expect(askWho()).rejects.toThrow(message);
});
