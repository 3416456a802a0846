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
import { fakeService, ok, refused } from '../../../service';

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

const limited = (retryAfter?: string) =>
	refused(
		429,
		anError('rate_limited', 'Too many requests'),
		retryAfter === undefined ? {} : { 'Retry-After': retryAfter },
	);

describe('a rate limit', () => {
	const operations: Array<[string, (api: Api) => Promise<unknown>, string, Reply]> = [
		['GET', askWho, '/me', ok(anIdentity())],
		['POST', subscribe, '/hooks', refused(201, aHook())],
		['DELETE', unsubscribe, `/hooks/${HOOK_ID}`, refused(204)],
	];

	test.each(operations)('is waited for with %s', async (method, work, path, success) => {
		const clock = startClock();
		const service = fakeService();
		service.on(method, path, limited('7'), limited('2'), success);
		await send(work);
		expect(service.sent).toHaveLength(3);
		expect(clock.elapsed()).toBeGreaterThanOrEqual(9_000);
		expect(clock.elapsed()).toBeLessThanOrEqual(9_900);
	});

	test('may be given as a date', async () => {
		const clock = startClock();
		const service = fakeService();
		const date = new Date(clock.now() + 30_000).toUTCString();
		service.on('GET', '/me', limited(date), ok(anIdentity()));
		await send(askWho);
		expect(clock.elapsed()).toBeGreaterThanOrEqual(30_000);
		expect(clock.elapsed()).toBeLessThanOrEqual(33_000);
	});

	test('is told apart from faults, which are tried again three times whatever came before', async () => {
		startClock();
		const service = fakeService();
		const [often, failed] = [limited('1'), refused(502)];
		service.on('GET', '/me', often, often, often, failed, failed, failed, ok(anIdentity()));
		await send(askWho);
		expect(service.sent).toHaveLength(7);

		service.on('GET', '/me', often, often, failed, failed, failed, failed);
		await expect(send(askWho)).rejects.toThrow(/failed 4 times \(502\)/);
		expect(service.sent).toHaveLength(13);
	});

	test('as a date goes by the clock of the service', async () => {
		const clock = startClock();
		const service = fakeService();
		const theirs = clock.now() - 3_600_000;
		const headers = {
			Date: new Date(theirs).toUTCString(),
			'Retry-After': new Date(theirs + 30_000).toUTCString(),
		};
		service.on(
			'GET',
			'/me',
			refused(429, anError('rate_limited', 'Too many requests'), headers),
			ok(anIdentity()),
		);
		await send(askWho);
		expect(clock.elapsed()).toBeGreaterThanOrEqual(30_000);
		expect(clock.elapsed()).toBeLessThanOrEqual(33_000);
	});

	test('that lets a request through now and then is never given up', async () => {
		const clock = startClock();
		const service = fakeService();
		let takesAt = clock.now();
		service.always('GET', '/me', () => {
			if (clock.now() < takesAt) return limited(String(Math.ceil((takesAt - clock.now()) / 1_000)));
			takesAt = clock.now() + 200_000;
			return ok(anIdentity());
		});
		const asked = Array.from({ length: 6 }, () => getMe);
		const { length } = await send(
			async (api) => await Promise.all(asked.map(async (ask) => await ask(api))),
			{ maxConcurrency: 6 },
		);
		expect(length).toBe(6);
		expect(clock.elapsed()).toBeGreaterThanOrEqual(5 * 200_000);
	});

	test('leaves nothing on the signal of the run', async () => {
		startClock();
		fakeService().on('GET', '/me', limited('7'), limited('2'), ok(anIdentity()));
		const { signal } = new AbortController();
		const listeners = new Set<unknown>();
		jest.spyOn(signal, 'addEventListener').mockImplementation((_, one) => listeners.add(one));
		jest.spyOn(signal, 'removeEventListener').mockImplementation((_, one) => listeners.delete(one));
		await send(askWho, { signal });
		expect(signal.addEventListener).toHaveBeenCalled();
		expect(listeners.size).toBe(0);
	});

	test.each([undefined, '0', 'soon'])('that says %j is not asked again at once', async (header) => {
		const clock = startClock();
		const service = fakeService();
		service.on('GET', '/me', limited(header), limited(header), ok(anIdentity()));
		await send(askWho);
		expect(clock.elapsed()).toBeGreaterThanOrEqual(300);
	});

	test('longer than the wait that is allowed is told at once', async () => {
		const clock = startClock();
		const service = fakeService();
		service.on('GET', '/me', limited('600'));
		await expect(send(askWho)).rejects.toThrow(/limits requests and asks to wait another 600 s\./);
		expect(service.sent).toHaveLength(1);
		expect(clock.waits).toEqual([]);
	});

	test('longer than the wait that is allowed ends all requests at once, until it is over', async () => {
		const clock = startClock();
		const service = fakeService();
		service.on('GET', '/me', ok(anIdentity()), limited('600'), ok(anIdentity()));
		await send(async (api) => {
			await getMe(api);
			const all = await Promise.allSettled(
				Array.from({ length: 20 }, async () => await getMe(api)),
			);
			for (const one of all) {
				expect(String((one as PromiseRejectedResult).reason)).toMatch(/asks to wait another/);
			}
			expect([service.sent.length, clock.elapsed()]).toEqual([2, 0]);
			await clock.pass(700_000);
			expect(await getMe(api)).toEqual(anIdentity());
		});
	});

	test('that never ends is given up once nothing was accepted for five minutes', async () => {
		const clock = startClock();
		const service = fakeService();
		service.always('GET', '/me', limited('20'));
		await expect(send(askWho)).rejects.toThrow(/limits requests and asks to wait another 20 s/);
		expect(clock.elapsed()).toBeGreaterThan(300_000);
		expect(clock.elapsed()).toBeLessThanOrEqual(322_000);
	});

	test('ends sooner where n8n itself counts the time', async () => {
		const clock = startClock();
		fakeService().always('POST', '/hooks', limited('6'));
		await expect(send(subscribe, { totalWaitMs: 20_000 })).rejects.toThrow(/limits requests/);
		expect(clock.elapsed()).toBeLessThanOrEqual(20_000);
	});

	test('that one request meets slows the others down', async () => {
		const clock = startClock();
		const service = fakeService();
		let count = 0;
		service.always('GET', '/me', () => (++count === 1 ? limited('5') : ok(anIdentity())));
		await send(async (api) => await Promise.all([getMe(api), getMe(api), getMe(api)]), {
			maxConcurrency: 3,
		});
		expect(service.sent).toHaveLength(4);
		expect(clock.elapsed()).toBeGreaterThanOrEqual(5_000);
	});
});
