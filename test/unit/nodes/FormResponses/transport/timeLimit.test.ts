import nock from 'nock';
import { connect } from '../../../../../nodes/FormResponses/transport/connect';
import { endWithin } from '../../../../../nodes/FormResponses/transport/timeLimit';
import { heldLimits } from '../../../kit/clock';
import { credentialValues } from '../../../kit/credentials';
import { inRun } from '../../../kit/inRun';
import { aHook } from '../../../kit/samples';
import { fakeService, ORIGIN, reply } from '../../../kit/formService';
import { nextTurn } from '../../../kit/turn';
import { askWho, expired, send, subscribe } from './request.fixture';

let limits: ReturnType<typeof heldLimits>;

beforeEach(() => (limits = heldLimits()));

const allMs = () => limits.map(({ ms }) => ms);
const timeOut = () => limits[limits.length - 1].end();

const never = async () => await new Promise<never>(() => {});

async function turns() {
	for (let turn = 0; turn < 20; turn++) await nextTurn();
}

describe('work', () => {
	test('that takes too long is given up, and told to end', async () => {
		let isTold = false;
		const work = endWithin(1_000, undefined, async (signal) => {
			signal.addEventListener('abort', () => (isTold = true));
			return await never();
		});
		timeOut();
		await expect(work).rejects.toMatchObject({ code: 'ETIMEDOUT' });
		expect([isTold, allMs()]).toEqual([true, [1_000]]);
	});

	test('ends with the run that it is for', async () => {
		const run = new AbortController();
		const work = endWithin(1_000, run.signal, never);
		run.abort();
		await expect(work).rejects.toMatchObject({ code: 'ERR_CANCELED' });
	});

	test.each<[string, number, AbortSignal | undefined, string]>([
		['no time is left', 0, undefined, 'ETIMEDOUT'],
		['the run was canceled', 1_000, AbortSignal.abort(), 'ERR_CANCELED'],
	])('does not begin where %s', async (_, ms, canceled, code) => {
		const begin = jest.fn(never);
		await expect(endWithin(ms, canceled, begin)).rejects.toMatchObject({ code });
		expect(begin).not.toHaveBeenCalled();
	});
});

describe('an OAuth2 server that does not answer', () => {
	let asked: Promise<void>;
	let answer: () => void;

	beforeEach(() => {
		const token = { access_token: 'new', token_type: 'Bearer' };
		const answered = new Promise<void>((resolve) => (answer = resolve));
		asked = new Promise((resolve) => {
			nock(ORIGIN)
				.post('/oauth/token')
				.reply(200, async () => (resolve(), await answered.then(() => token)));
		});
	});

	const HANGS = /the Access Token URL did not answer in time/;

	test.each([
		['for the first token', { grantType: 'clientCredentials', oauthTokenData: {} }, []],
		['for a new token', {}, ['POST /hooks']],
	])('%s: the hook is not asked for when it answers at last', async (_, oAuth2, calls) => {
		const service = fakeService();
		service.on('POST', '/hooks', ...(calls.length > 0 ? [expired] : []), reply(201, aHook()));
		const subscribing = send(subscribe, { withinMs: 5_000 }, credentialValues({}, oAuth2));
		await asked;
		jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 5_000);
		timeOut();
		await expect(subscribing).rejects.toThrow(HANGS);
		answer();
		await turns();
		expect(service.calls()).toEqual(calls);
	});
});

test('a credential that n8n does not give is waited for as long', async () => {
	jest.spyOn(performance, 'now').mockReturnValue(Math.ceil(performance.now()));
	await inRun(async (context) => {
		const hanging = Object.assign(Object.create(context), { getCredentials: never });
		const connecting = connect(hanging as typeof context, {
			authentication: 'oAuth2',
			withinMs: 5_000,
		});
		await turns();
		timeOut();
		await expect(connecting).rejects.toThrow(/^Could not read the credential: .* in time\. Try/);
	});
	expect(allMs()).toEqual([5_000]);
});

test('one request may take a minute where nobody waits for it', async () => {
	fakeService().on('GET', '/me', expired);
	await expect(send(askWho, {}, credentialValues({}, { oauthTokenData: {} }))).rejects.toThrow();
	expect(Math.max(...allMs())).toBe(60_000);
});
