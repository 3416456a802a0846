import type { IDataObject } from 'n8n-workflow';
import nock from 'nock';
import type { Clock } from '../../../../kit/clock';
import { eventually, heldLimits, limitsOnClock, startClock } from '../../../../kit/clock';
import { credentialValues } from '../../../../kit/credentials';
import { requestsUnderWay } from '../../../../kit/jest/network';
import { deliver } from '../../../../kit/delivery';
import type { Stored } from '../../../../kit/workflow';
import { anAnswer, OTHER_FORM_ID } from '../../../../kit/samples';
import type { FakeService, Reply } from '../../../../kit/formService';
import { fakeService, ok, ORIGIN, reply } from '../../../../kit/formService';
import { activated, aWorkflow, currentQuery, whileTimePasses } from '../trigger.fixture';
import { ABSENT, deliverAll, keyMade, NOW, responseAt, show } from './receive.fixture';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let clock: Clock;
let service: FakeService;
let stored: Stored;

/** Made-up responses, completed so many seconds after the start. */
const madeUp = (count: number, seconds = 0, first = 1_000) =>
	Array.from({ length: count }, (_, n) => responseAt(seconds, first + n));

const dated = (reply: Reply, ms: number): Reply => ({
	...(reply as { status: number }),
	headers: { date: new Date(NOW + ms).toUTCString() },
});

beforeEach(() => {
	service = fakeService();
});

async function publish(parameters: IDataObject = {}, standing = false) {
	clock = startClock({ standing });
	stored = await activated(service, parameters);
}

/** Waits until what was completed at the publication is no longer recent. */
const threeMinutes = async () => await clock.pass(3 * MINUTE);

describe('what a key brings that is not the live one', () => {
	const mine = [anAnswer({ value: 'as the service shows it' })];
	const conditions = [{ label: 'Name', value: 'as the service shows it' }];
	const named = { options: { onlyIf: { conditions } } };
	const asShown = (seconds: number, more: object = {}) =>
		ok(responseAt(seconds, 0, { answers: mine, ...more }));
	const html = reply(404, '<html>');
	const runsTwice = { options: { skipDuplicates: false } };

	/**
	 * Each is delivered three minutes after the start. Columns: its completion, in seconds since the start; the service's
	 * answer; the status, whether it runs, how often the service was asked, and how many seconds it took.
	 */
	test.each<[string, number, Reply, [number, boolean, number, number], IDataObject?]>([
		['a recent one runs as shown, five seconds later', 170, asShown(170), [200, true, 1, 5]],
		['an earlier one runs at once', 0, asShown(0), [200, true, 1, 0]],
		['also where duplicates run', 0, asShown(0), [200, true, 1, 0], runsTwice],
		['it runs under the completion that is shown', 0, asShown(7), [200, true, 1, 0]],
		['Only If is judged by what is shown', 0, asShown(0), [200, true, 1, 0], named],
		['Only If leaves it out', 0, ok(responseAt(0)), [200, false, 1, 0], named],
		['the service does not have it yet', 170, ABSENT, [503, false, 1, 5]],
		['the service does not have it', 0, ABSENT, [200, false, 1, 0]],
		['not yet, in the service’s clock', 0, dated(ABSENT, 59_000), [503, false, 1, 0]],
		['not at all, in the service’s clock', 170, dated(ABSENT, 240_000), [200, false, 1, 5]],
		['another server answers', 0, html, [503, false, 1, 0]],
		['the token may not read it', 0, reply(403), [503, false, 1, 0]],
		['it is of another form', 0, asShown(0, { formId: OTHER_FORM_ID }), [200, false, 1, 0]],
		['it was completed before the start', 0, asShown(-1), [200, false, 1, 0]],
		['it says that it was completed before the start', -1, asShown(0), [200, false, 0, 0]],
	])('%s', async (...row) => {
		const [, seconds, reply, expected, parameters] = row;
		await publish(parameters);
		service.always('GET', /^\/responses\//, reply);
		await threeMinutes();
		const begunAt = clock.elapsed();
		const emittedAt = Date.now();
		const delivery = { body: responseAt(seconds), query: keyMade(-HOUR) };
		const { status, run, ...answer } = await deliver(stored, delivery);
		const took = Math.floor((clock.elapsed() - begunAt) / 1_000);
		expect([status, run !== undefined, service.sent.length - 1, took]).toEqual(expected);
		const { body: envelope } = reply as { body: unknown };
		const waited = took > 0 ? { emittedAt } : {};
		const about = { isRecovered: false, isShown: true, ...waited };
		if (run) expect(run).toEqual([{ envelope, ...about }]);
		expect(answer.retryAfter).toBe(status === 503 ? 10 : undefined);
		expect(answer.isStaticDataUntouched).toBe(true);
	});

	test.each<[string, Record<string, unknown>]>([
		['an earlier key', keyMade(-HOUR)],
		['a later key', keyMade(HOUR)],
		['another key of the same time', keyMade(0)],
		['a malformed key', { key: 'x' }],
		['two keys', { key: [keyMade(0).key, keyMade(1).key] }],
		['none', {}],
	])('%s: it runs once, whoever brings it again', async (_, query) => {
		await publish();
		show(service, [responseAt(0)]);
		const runs = [];
		for (const of of [query, query, keyMade(7), {}, currentQuery(service)])
			runs.push((await deliver(stored, { body: responseAt(0), query: of })).run?.length);
		expect(runs).toEqual([1, undefined, undefined, undefined, undefined]);
	});

	test('the live hook brings it within the five seconds: it runs as sent, and nobody is asked', async () => {
		await publish({}, true);
		const asked = show(service, [responseAt(0)]);
		const spares = deliver(stored, { body: responseAt(0), query: keyMade(9) });
		await clock.pass(1_000);
		const live = await deliver(stored, { body: responseAt(0), query: currentQuery(service) });
		const spare = await whileTimePasses(clock, spares);
		expect([live.run?.length, spare.run, spare.status, asked()]).toEqual([1, undefined, 200, 0]);
	});
});

describe('bounds', () => {
	async function later(responses: Parameters<typeof show>[1], absent?: () => Reply) {
		await publish({}, true);
		await threeMinutes();
		return show(service, responses, absent);
	}

	test('30 in vain in a minute for all keys that nobody knows, and 30 for each that brought something', async () => {
		const real = [1, 2, 3].map((n) => responseAt(0, n));
		const asked = await later(real);
		const known = [keyMade(1), keyMade(2)];
		for (const [n, query] of known.entries())
			expect((await deliver(stored, { body: real[n], query })).run).toHaveLength(1);
		const statuses = [];
		const unknown = Array.from({ length: 35 }, (_, n) => (n % 2 ? {} : keyMade(10 + n)));
		for (const query of [...unknown, ...Array(36).fill(known[0]), known[1]]) {
			const n = statuses.length;
			// What brings something once more makes up for nothing.
			const body = n === 45 ? real[2] : responseAt(0, 1_000 + n);
			const { status, retryAfter } = await deliver(stored, { body, query });
			statuses.push(retryAfter ?? status);
		}
		const row = (asked: number) => [...Array(asked).fill(200), ...Array(5).fill(60)];
		expect(statuses).toEqual([...row(30), ...row(30 + 1), 200]);
		expect(asked()).toBe(2 + 30 + 31 + 1);
		await clock.pass(MINUTE);
		expect((await deliver(stored, { body: responseAt(0, 9_000) })).status).toBe(200);
	});

	test('ten keys have a count of their own: those that brought something last, whatever others repeat', async () => {
		const real = Array.from({ length: 13 }, (_, n) => responseAt(0, n));
		await later(real);
		const bring = async (key: number, body = madeUp(1)[0]) =>
			await deliver(stored, { body, query: keyMade(key) });
		const firsts = Array.from({ length: 10 }, (_, n) => n + 1);
		for (const key of firsts) expect((await bring(key, real[key])).run).toHaveLength(1);
		for (let n = 0; n < 20; n++) expect((await bring(100 + n, real[5])).status).toBe(200);
		expect((await bring(1, real[11])).run).toHaveLength(1);
		expect((await bring(11, real[12])).run).toHaveLength(1);
		for (const body of madeUp(30)) await deliver(stored, { body });
		const statuses = [1, 2, 3, 11, 100].map(async (key) => (await bring(key)).status);
		expect(await Promise.all(statuses)).toEqual([200, 503, 200, 200, 503]);
	});

	test('made-up deliveries by the thousand ask 40 times at most, start nothing, and keep no known key waiting', async () => {
		const real = [responseAt(0, 1), responseAt(0, 2)];
		const asked = await later(real);
		await deliver(stored, { body: real[0], query: keyMade(-HOUR) });
		const recent = madeUp(1_000, 175);
		const flood = deliverAll(stored, recent, (n) => (n % 3 ? keyMade(n) : {}));
		await whileTimePasses(clock, flood);
		const again = deliverAll(stored, recent, (n) => keyMade(-HOUR - n));
		const earlier = await deliver(stored, { body: real[1], query: keyMade(-HOUR) });
		expect(earlier.run).toHaveLength(1);
		expect(await whileTimePasses(clock, again)).toMatchObject({ 503: 1_000, runs: 0 });
		const { answers, ...done } = await flood;
		expect(done).toEqual({ 503: 1_000, runs: 0 });
		expect(new Set(answers.map(({ retryAfter }) => retryAfter))).toEqual(new Set([10, 60]));
		expect(asked()).toBeLessThanOrEqual(1 + 40 + 1);
		const live = await deliver(stored, { body: responseAt(0, 3), query: currentQuery(service) });
		expect(live.run).toHaveLength(1);
	});

	test('one real response ID buys no more, whatever is claimed of it and with whatever keys', async () => {
		const asked = await later([responseAt(0, 1)]);
		await deliver(stored, { body: responseAt(0, 1), query: currentQuery(service) });
		for (let n = 1; n <= 50; n++) {
			const query = keyMade(n);
			const same = await deliver(stored, { body: responseAt(0, 1), query });
			const other = await deliver(stored, { body: responseAt(n, 1), query });
			const made = await deliver(stored, { body: madeUp(1, 0, 1_000 + n)[0], query });
			expect([same.run, other.run, made.run]).toEqual([undefined, undefined, undefined]);
		}
		expect(asked()).toBe(30);
	});

	test('sixty wait in a process, whichever node they are for; ten are asked about at once', async () => {
		await later([]);
		const another = { ...aWorkflow(), type: stored.type, staticData: {} };
		let [open, most] = [0, 0];
		nock.cleanAll();
		nock(ORIGIN)
			.persist()
			.get(/\/responses\//)
			.delay(5)
			.reply(200, (uri) => ({ ...responseAt(0, Number(uri.slice(-12))) }))
			.on('request', () => (most = Math.max(most, ++open)))
			.on('replied', () => open--);
		const all = madeUp(62, 0, 0);
		const here = deliverAll(stored, all.slice(0, 40), () => ({}));
		const there = deliverAll(another, all.slice(40), () => ({}));
		const done = await whileTimePasses(clock, Promise.all([here, there]));
		expect(done).toMatchObject([{ runs: 40 }, { runs: 20, 503: 2 }]);
		expect(most).toBe(10);
	});

	test('a credential counts for a minute as it was read, and then as it is', async () => {
		await later([responseAt(0, 1), responseAt(0, 2), responseAt(0, 3)]);
		const broken = { ...stored, credentials: credentialValues({}, { baseUrl: '' }) };
		const statuses = [(await deliver(stored, { body: responseAt(0, 1) })).status];
		for (const [n, ms] of [MINUTE - 1, 2].entries()) {
			await clock.pass(ms);
			statuses.push((await deliver(broken, { body: responseAt(0, n + 2) })).status);
		}
		expect(statuses).toEqual([200, 200, 503]);
	});

	test('a limit of the service is learnt once, and passed on', async () => {
		const asked = await later([], () => reply(429, undefined, { 'retry-after': '30' }));
		const all = deliverAll(stored, madeUp(20), () => ({}));
		const { answers } = await whileTimePasses(clock, all);
		const told = answers.map(({ status, retryAfter }) => [status, retryAfter]);
		expect(told).toEqual(Array(20).fill([503, 30]));
		expect(asked()).toBe(1);
	});

	test('a credential that is broken is read 40 times in a minute at most, and used again once it is mended', async () => {
		const asked = await later([responseAt(0, 1)]);
		let reads = 0;
		const credentials = {
			get formResponsesOAuth2Api() {
				reads++;
				return { baseUrl: '' };
			},
		};
		for (const body of madeUp(100))
			expect((await deliver({ ...stored, credentials }, { body })).status).toBe(503);
		expect(reads).toBeLessThanOrEqual(40);
		await clock.pass(MINUTE);
		expect((await deliver(stored, { body: responseAt(0, 1) })).run).toHaveLength(1);
		expect(asked()).toBe(1);
	});

	test('1,000 that are held for an earlier key all run against three requests a second', async () => {
		const held = madeUp(1_000, 0, 0);
		await publish();
		await threeMinutes();
		limitsOnClock();
		let [tokens, at, asked] = [3, clock.now(), 0];
		service.always('GET', /^\/responses\//, ({ path }) => {
			asked++;
			tokens = Math.min(3, tokens + ((clock.now() - at) * 3) / 1_000);
			at = clock.now();
			if (tokens < 1) return reply(429, undefined, { 'retry-after': '1' });
			tokens--;
			return ok(held[Number(path.slice(-12))]);
		});
		const begunAt = clock.elapsed();
		let [runs, rest] = [0, held];
		while (rest.length > 0) {
			const batch = rest.slice(0, 70);
			const { answers, ...done } = await deliverAll(stored, batch, () => keyMade(-HOUR));
			runs += done.runs;
			rest = rest.slice(70).concat(batch.filter((_, n) => answers[n].status === 503));
		}
		expect(runs).toBe(1_000);
		expect((clock.elapsed() - begunAt) / 1_000).toBeLessThan(1.25 * 334);
		expect(asked).toBeLessThan(1_250);
	});

	test('a question that takes too long is answered 503 after 10 seconds, and runs when it comes again', async () => {
		await later([]);
		const limits = heldLimits();
		nock.cleanAll();
		let answer: ((shown: object) => void) | undefined;
		const slow = async () => await new Promise<object>((resolve) => (answer = resolve));
		const question = nock(ORIGIN).get(/\/responses\//);
		question.reply(200, async () => (await slow()) as nock.Body);
		const delivery = { body: responseAt(0), query: keyMade(-HOUR) };
		const late = deliver(stored, delivery);
		await eventually(() => expect(answer).toBeDefined());
		expect(new Set(limits.map(({ ms }) => ms))).toEqual(new Set([10_000]));
		limits[0].end();
		expect(await late).toMatchObject({ status: 503, retryAfter: 10, run: undefined });
		answer!(responseAt(0));
		await eventually(() => expect(requestsUnderWay()).toBe(0));
		show(service, [responseAt(0)]);
		expect((await deliver(stored, delivery)).run).toHaveLength(1);
	});
});
