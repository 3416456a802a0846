import { getMe } from '../../../../../nodes/FormResponses/transport/endpoints';
import { startClock, type Clock } from '../../../kit/clock';
import { anIdentity } from '../../../kit/samples';
import { fakeService, ok, type FakeService } from '../../../kit/formService';
import { askWho, limited, send } from './request.fixture';

let clock: Clock;
let service: FakeService;

beforeEach(() => {
	clock = startClock();
	service = fakeService();
});

test('a service that lets a request through now and then is never given up', async () => {
	let takesAt = clock.now();
	service.always('GET', '/me', () => {
		if (clock.now() < takesAt) return limited(String(Math.ceil((takesAt - clock.now()) / 1_000)));
		takesAt = clock.now() + 200_000;
		return ok(anIdentity());
	});
	const answers = await send(async (api) => await Promise.all(Array(6).fill(api).map(getMe)), {
		maxConcurrency: 6,
	});
	expect(answers).toHaveLength(6);
	expect(clock.elapsed()).toBeGreaterThanOrEqual(5 * 200_000);
});

test('a wait longer than is allowed ends all requests at once, until it is over', async () => {
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

test('a service that never accepts is given up once nothing was accepted for five minutes', async () => {
	service.always('GET', '/me', limited('20'));
	await expect(send(askWho)).rejects.toThrow(/limits requests and asks to wait another 20 s/);
	expect(clock.elapsed()).toBeGreaterThan(300_000);
	expect(clock.elapsed()).toBeLessThanOrEqual(322_000);
});
