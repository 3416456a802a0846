import { getMe } from '../../../../../nodes/FormResponses/transport/endpoints';
import type { Api } from '../../../../../nodes/FormResponses/transport/types';
import type { Clock } from '../../../kit/clock';
import { startClock } from '../../../kit/clock';
import { aHook, anError, anIdentity, HOOK_ID } from '../../../kit/samples';
import type { FakeService, Reply } from '../../../kit/formService';
import { fakeService, ok, reply } from '../../../kit/formService';
import { askWho, limited, send, subscribe, unsubscribe } from './request.fixture';

let clock: Clock;
let service: FakeService;

beforeEach(() => {
	clock = startClock();
	service = fakeService();
});

const askAtOnce = async (api: Api, count: number) =>
	await Promise.all(Array.from({ length: count }, async () => await getMe(api)));

test.each<[string, string, (api: Api) => Promise<unknown>, Reply]>([
	['GET', '/me', askWho, ok(anIdentity())],
	['POST', '/hooks', subscribe, reply(201, aHook())],
	['DELETE', `/hooks/${HOOK_ID}`, unsubscribe, reply(204)],
])('is waited for with %s', async (method, path, work, success) => {
	service.on(method, path, limited('7'), limited('2'), success);
	await send(work);
	expect(service.sent).toHaveLength(3);
	expect(clock.elapsed()).toBeGreaterThanOrEqual(9_000);
	expect(clock.elapsed()).toBeLessThanOrEqual(9_900);
});

test('as a date goes by the clock of the service', async () => {
	const theirs = clock.now() - 3_600_000;
	const dates = {
		Date: new Date(theirs).toUTCString(),
		'Retry-After': new Date(theirs + 30_000).toUTCString(),
	};
	const slow = reply(429, anError('rate_limited', 'Too many requests'), dates);
	service.on('GET', '/me', slow, ok(anIdentity()));
	await send(askWho);
	expect(clock.elapsed()).toBeGreaterThanOrEqual(30_000);
	expect(clock.elapsed()).toBeLessThanOrEqual(33_000);
});

test('is told apart from faults, which are tried again three times whatever came before', async () => {
	const [often, failed] = [limited('1'), reply(502)];
	service.on('GET', '/me', often, often, often, failed, failed, failed, ok(anIdentity()));
	await send(askWho);
	expect(service.sent).toHaveLength(7);

	service.on('GET', '/me', often, often, failed, failed, failed, failed);
	await expect(send(askWho)).rejects.toThrow(/failed 4 times \(502\)/);
	expect(service.sent).toHaveLength(13);
});

test('that lets a request through now and then is never given up', async () => {
	let takesAt = clock.now();
	service.always('GET', '/me', () => {
		if (clock.now() < takesAt) return limited(String(Math.ceil((takesAt - clock.now()) / 1_000)));
		takesAt = clock.now() + 200_000;
		return ok(anIdentity());
	});
	const answers = await send(async (api) => await askAtOnce(api, 6), { maxConcurrency: 6 });
	expect(answers).toHaveLength(6);
	expect(clock.elapsed()).toBeGreaterThanOrEqual(5 * 200_000);
});

test('leaves nothing on the signal of the run', async () => {
	service.on('GET', '/me', limited('7'), limited('2'), ok(anIdentity()));
	const { signal } = new AbortController();
	const listeners = new Set<unknown>();
	jest.spyOn(signal, 'addEventListener').mockImplementation((_, one) => listeners.add(one));
	jest.spyOn(signal, 'removeEventListener').mockImplementation((_, one) => listeners.delete(one));
	await send(askWho, { signal });
	expect(signal.addEventListener).toHaveBeenCalled();
	expect(listeners.size).toBe(0);
});

test('longer than the wait that is allowed ends all requests at once, until it is over', async () => {
	service.on('GET', '/me', ok(anIdentity()), limited('600'), ok(anIdentity()));
	await send(async (api) => {
		await getMe(api);
		const ask = async () =>
			await expect(getMe(api)).rejects.toThrow(/asks to wait another 600 s\./);
		await Promise.all(Array.from({ length: 20 }, ask));
		expect([service.sent.length, clock.waits]).toEqual([2, []]);
		await clock.pass(700_000);
		expect(await getMe(api)).toEqual(anIdentity());
	});
});

test('that never ends is given up once nothing was accepted for five minutes', async () => {
	service.always('GET', '/me', limited('20'));
	await expect(send(askWho)).rejects.toThrow(/limits requests and asks to wait another 20 s/);
	expect(clock.elapsed()).toBeGreaterThan(300_000);
	expect(clock.elapsed()).toBeLessThanOrEqual(322_000);
});

test.each([
	[20_000, 18_000],
	[18_500, 12_000],
])(
	'where n8n waits %i ms, the last try after %i ms has time for its answer',
	async (withinMs, last) => {
		jest.spyOn(Math, 'random').mockReturnValue(0);
		service.always('POST', '/hooks', limited('6'));
		await expect(send(subscribe, { withinMs })).rejects.toThrow(/limits requests/);
		expect(clock.elapsed()).toBe(last);
	},
);

test('that one request meets slows the others down', async () => {
	let count = 0;
	service.always('GET', '/me', () => (++count === 1 ? limited('5') : ok(anIdentity())));
	await send(async (api) => await askAtOnce(api, 3), { maxConcurrency: 3 });
	expect(service.sent).toHaveLength(4);
	expect(clock.elapsed()).toBeGreaterThanOrEqual(5_000);
});
