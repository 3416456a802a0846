import { startClock, type Clock } from '../../../kit/clock';
import { anError, anIdentity, HOOK_ID } from '../../../kit/samples';
import {
	fakeService,
	fault,
	ok,
	reply,
	type FakeService,
	type Reply,
} from '../../../kit/formService';
import { askWho, send, subscribe, unsubscribe } from './request.fixture';

let clock: Clock;
let service: FakeService;

beforeEach(() => {
	clock = startClock();
	service = fakeService();
});

const json = { 'Content-Type': 'application/json' };

const faults: Array<[string, Reply]> = [
	['503', reply(503, anError('internal_error', 'Something broke'))],
	['a broken connection', fault('ECONNRESET')],
	['an answer that is cut off', ok('{"workspace": {"id"', json)],
];

test.each(faults)('%s: GET and DELETE are tried again, POST is not', async (_, reply) => {
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

test('a service that asks to come at a time that has passed, without saying what time it is, is tried as any fault', async () => {
	const passed = { 'Retry-After': new Date(clock.now() - 60_000).toUTCString() };
	service.always('GET', '/me', reply(503, '<html>', passed));
	await expect(send(askWho)).rejects.toThrow(/failed 4 times \(503\)/);
	expect(service.sent).toHaveLength(4);
	expect(clock.elapsed()).toBeLessThanOrEqual(7_000);
});

test('a service in maintenance is waited for as often as it says', async () => {
	const closed = reply(503, '<html>', { 'Retry-After': '4' });
	service.on('GET', '/me', ...Array<Reply>(8).fill(closed), ok(anIdentity()));
	expect(await send(askWho)).toEqual(anIdentity());
	expect(clock.elapsed()).toBeGreaterThanOrEqual(32_000);
	service.on('GET', '/me', reply(503, '<html>', { 'Retry-After': '3600' }));
	await expect(send(askWho)).rejects.toThrow(/failed \(503\) and asks to wait another 3600 s/);
	service.on('POST', '/hooks', closed);
	await expect(send(subscribe)).rejects.toThrow(
		/failed \(503\) and asks to wait another 4 s\. The hook may have been made/,
	);
});
