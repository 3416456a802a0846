import { getMe } from '../../../../../nodes/FormResponses/transport/endpoints';
import type { Api } from '../../../../../nodes/FormResponses/transport/types';
import { startClock, type Clock } from '../../../kit/clock';
import { aHook, anError, anIdentity, HOOK_ID } from '../../../kit/samples';
import { fakeService, ok, reply, type FakeService, type Reply } from '../../../kit/formService';
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
])('a rate limit is waited for with %s', async (method, path, work, success) => {
	service.on(method, path, limited('7'), limited('2'), success);
	await send(work);
	expect(service.sent).toHaveLength(3);
	expect(clock.elapsed()).toBeGreaterThanOrEqual(9_000);
	expect(clock.elapsed()).toBeLessThanOrEqual(9_900);
});

test('a rate limit that ends at a date goes by the clock of the service', async () => {
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

test('a rate limit is told apart from faults, which are tried again three times whatever came before', async () => {
	const [often, failed] = [limited('1'), reply(502)];
	service.on('GET', '/me', often, often, often, failed, failed, failed, ok(anIdentity()));
	await send(askWho);
	expect(service.sent).toHaveLength(7);

	service.on('GET', '/me', often, often, failed, failed, failed, failed);
	await expect(send(askWho)).rejects.toThrow(/failed 4 times \(502\)/);
	expect(service.sent).toHaveLength(13);
});

test('a wait leaves nothing on the signal of the run', async () => {
	service.on('GET', '/me', limited('7'), limited('2'), ok(anIdentity()));
	const { signal } = new AbortController();
	const listeners = new Set<unknown>();
	jest.spyOn(signal, 'addEventListener').mockImplementation((_, one) => listeners.add(one));
	jest.spyOn(signal, 'removeEventListener').mockImplementation((_, one) => listeners.delete(one));
	await send(askWho, { signal });
	expect(signal.addEventListener).toHaveBeenCalled();
	expect(listeners.size).toBe(0);
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

test('a rate limit that one request meets slows the others down', async () => {
	let count = 0;
	service.always('GET', '/me', () => (++count === 1 ? limited('5') : ok(anIdentity())));
	await send(async (api) => await askAtOnce(api, 3), { maxConcurrency: 3 });
	expect(service.sent).toHaveLength(4);
	expect(clock.elapsed()).toBeGreaterThanOrEqual(5_000);
});
