import { startClock, type Clock } from '../../../../kit/clock';
import { execute } from '../../../../kit/execute';
import { deliver } from '../../../../kit/delivery';
import type { Stored } from '../../../../kit/workflow';
import { fakeService, type FakeService } from '../../../../kit/formService';
import { activated, currentQuery, inAnotherProcess, pushed } from '../trigger.fixture';
import { deliverAll, keyMade, NOW, responseAt, show } from './receive.fixture';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let clock: Clock;
let service: FakeService;
let stored: Stored;

beforeEach(async () => {
	clock = startClock();
	service = fakeService();
	stored = await activated(service);
});

const store = (state: object) => Object.assign(stored.staticData!['node:Forms'] as object, state);

/** The process that gets a delivery: whether it saw the key before, and what it has stored. */
type Elsewhere = Partial<Stored> & { isOwn?: boolean; sawIt?: boolean; state?: object };

const wiped = { status: undefined };
const older = { keyMadeAt: 1, keyHash: 'older' };

test.each<[string, Elsewhere, boolean]>([
	['in the process that made it', { isOwn: true }, true],
	['in another process', {}, true],
	['in one that saw it before a run wiped it', { sawIt: true, state: wiped }, true],
	['in one that saw a younger one than a run wrote back', { sawIt: true, state: older }, true],
	['not in one that finds it wiped', { state: wiped }, false],
	['not in a copy of the workflow', { workflowId: 'copy' }, false],
])('a key is the live one %s', async (_, { isOwn, sawIt, state, ...more }, isLive) => {
	stored = { ...(isOwn ? stored : inAnotherProcess(stored)), ...more };
	show(service, [responseAt(5, 0, { respondentEmail: 'shown' })]);
	if (sawIt) await deliver(stored, { body: responseAt(9, 9), query: {} });
	store(state ?? {});
	const sent = responseAt(5);
	const { run } = await deliver(stored, { body: sent, query: currentQuery(service) });
	const { envelope, isShown } = run![0] as { envelope: typeof sent; isShown?: boolean };
	const expected = isLive ? [sent.data.respondentEmail, undefined] : ['shown', true];
	expect([envelope.data.respondentEmail, isShown]).toEqual(expected);
});

test.each<[string, number, object, number]>([
	['since the start', 5 * DAY, { since: new Date(NOW + 4 * DAY).toISOString() }, 1],
	['in the last four days', 5 * DAY, {}, 2],
	['in the last four days, where the start is a guess', 0, { guessUntil: 'now' }, 2],
	['in the last four days, where nothing is stored', 0, { status: undefined }, 2],
])('what was completed counts %s', async (_, passed, state, count) => {
	store(state);
	stored = inAnotherProcess(stored);
	await clock.pass(passed);
	const days = [0.5, 3.5, 4.5].map((n) => responseAt((passed - n * DAY) / SECOND, n * 2));
	show(service, days);
	expect(await deliverAll(stored, days, () => keyMade(9))).toMatchObject({ runs: count });
});

test('a node that polls has no hook once it has begun; until then the earlier one delivers', async () => {
	Object.assign(stored.parameters, { authentication: 'apiKey' });
	const delivery = { body: responseAt(0), query: currentQuery(service) };
	expect(await deliver(stored, delivery)).toMatchObject({ status: 200, run: [{}] });
	const polls = inAnotherProcess({ ...stored, staticData: {} });
	expect(await deliver(polls, delivery)).toMatchObject({ status: 410, run: undefined });
});

describe('a response that is delivered again by the live hook', () => {
	async function runsOf(count: number) {
		const runs = [];
		for (let n = 0; n < count; n++) {
			const delivery = { body: responseAt(0), query: currentQuery(service) };
			const { status, run } = await deliver(stored, delivery);
			expect(status).toBe(200);
			runs.push(run?.length ?? 0);
		}
		return runs;
	}

	test('within a minute starts no run, and later one more', async () => {
		expect(await runsOf(3)).toEqual([1, 0, 0]);
		await clock.pass(MINUTE - SECOND);
		expect(await runsOf(1)).toEqual([0]);
		await clock.pass(SECOND + 1);
		expect(await runsOf(2)).toEqual([1, 0]);
	});

	test('starts no run where this process ran it, also later', async () => {
		await execute({ ...stored, mode: 'webhook', items: pushed(responseAt(0)) });
		await clock.pass(HOUR);
		expect(await runsOf(2)).toEqual([0, 0]);
	});

	test('starts a run each time where duplicates are not to be skipped', async () => {
		stored.parameters = { ...stored.parameters, options: { skipDuplicates: false } };
		expect(await runsOf(3)).toEqual([1, 1, 1]);
	});
});

describe('a hook beside the live one', () => {
	let count = 0;

	/** A new response is brought by each in turn, the live one unless a key is named. */
	async function bring(...queries: Array<Record<string, string> | undefined>) {
		const body = responseAt(clock.elapsed() / SECOND, ++count);
		const statuses = [];
		for (const query of queries) {
			const delivery = { body, query: query ?? currentQuery(service) };
			statuses.push((await deliver(stored, delivery)).status);
		}
		return statuses;
	}

	beforeEach(() => void show(service, [responseAt(0, 0)]));

	test('ends once it has been known for 15 minutes, if it is younger', async () => {
		const younger = keyMade(HOUR);
		expect(await bring(undefined, younger)).toEqual([200, 200]);
		await clock.pass(15 * MINUTE - 1);
		expect(await bring(undefined, younger)).toEqual([200, 200]);
		await clock.pass(1);
		expect(await bring(undefined, younger, keyMade(HOUR, 'y'))).toEqual([200, 410, 200]);
	});

	test('ends by what both bring, and by whatever was completed since both were made, if it is a twin', async () => {
		const twin = keyMade(-2 * MINUTE);
		store({ hookMadeAt: new Date(NOW + SECOND).toISOString() });
		stored = inAnotherProcess(stored);
		const delivery = { body: responseAt(0, 0), query: twin };
		const [first, again] = [await deliver(stored, delivery), await deliver(stored, delivery)];
		expect([first.run?.length, first.status]).toEqual([1, 200]);
		expect([again.run, again.status]).toEqual([undefined, 200]);
		expect(await bring(undefined, {}, twin)).toEqual([200, 200, 410]);
		await clock.pass(SECOND);
		expect(await bring(twin)).toEqual([410]);
	});
});
