import nock from 'nock';
import { assertOwnUrlAnswers } from '../../../../../../nodes/FormResponses/trigger/subscribe/ownTestUrl';
import type { Authentication } from '../../../../../../nodes/FormResponses/transport/types';
import { hookContextOf } from '../../../../kit/hookMethods';
import { aResponse } from '../../../../kit/samples';
import { fakeService, reply } from '../../../../kit/formService';
import { aWorkflow } from '../trigger.fixture';

const URL = 'https://n8n.example.com/webhook-test';
const LOGIN = 'https://login.example.com';

const check = async (authentication: Authentication = 'oAuth2') => {
	const context = hookContextOf(aWorkflow());
	await assertOwnUrlAnswers(context, `${URL}/1`, aResponse(), authentication);
};

test.each([
	[
		'n8n, before it has registered the listener',
		404,
		'The requested webhook "1" is not registered',
	],
	['the node, for a listener that is registered', 410, 'Gone'],
])('%s answers as n8n', async (_, status, message) => {
	fakeService(URL).on('POST', '/1', reply(status, { message }));
	await expect(check()).resolves.toBeUndefined();
});

test.each([
	['a login page', reply(200, '<!DOCTYPE html><html>'), 'a web page with status 200'],
	['a proxy', reply(407), 'status 407'],
	['a gateway', reply(403, { message: 'Forbidden' }), 'status 403'],
	['another server', reply(404, { message: 'Not Found' }), 'status 404'],
	['a server where something is gone', reply(410, { message: 'No' }), 'status 410'],
	['a redirect', reply(302, '', { Location: LOGIN }), 'a web page with status 200'],
])('%s at the test URL is named', async (_, answer, name) => {
	fakeService(URL).on('POST', '/1', answer);
	nock(LOGIN).get('/').reply(200, '<html>');
	const fix =
		'Set the environment variables WEBHOOK_URL and, for tests, N8N_EDITOR_BASE_URL of n8n to its public address, such as https://n8n.example.com/, and restart n8n.';
	const problem = `not n8n but ${name} answers at its test URL, at https://n8n.example.com`;
	const message = `The latest response cannot be shown: ${problem}. ${fix}`;
	await expect(check()).rejects.toThrow(expect.objectContaining({ message }));
});

test.each<[object, string]>([
	[{ code: 'ECONNREFUSED' }, 'n8n.example.com refused the connection. Set .*WEBHOOK_URL'],
	[{ code: 'EHOSTUNREACH' }, 'cannot be reached from this n8n. Set .*WEBHOOK_URL'],
	[{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'does not trust it. If .*NODE_EXTRA_CA_CERTS'],
	[{ message: 'Odd' }, 'n8n.example.com: Odd. Set .*WEBHOOK_URL'],
	[{ message: 'Blocked by SSRF protection' }, 'forgery.*N8N_SSRF_ALLOWED_HOSTNAMES'],
	[{ message: 'restricted IP address 10.0.0.1' }, 'forgery.*N8N_SSRF_ALLOWED_HOSTNAMES'],
])('n8n that does not reach itself says why, and what to set: %j', async (fault, expected) => {
	const error = Object.assign(new Error('Failed'), fault);
	nock('https://n8n.example.com').post('/webhook-test/1').twice().replyWithError(error);
	await expect(check('apiKey')).rejects.toThrow(new RegExp(`${expected}[^"]*\\.$`));
	const withOffer = new RegExp(`${expected}.*\\. Or set "Test With" to "New Response"\\.$`);
	await expect(check('oAuth2')).rejects.toThrow(withOffer);
});
