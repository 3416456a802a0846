import type * as Marks from '../../../../../nodes/FormResponses/trigger/run/marks';
import type { Clock } from '../../../../clock';
import { startClock } from '../../../../clock';
import {
	emptyStores,
	failStore,
	recorded,
	slowStore,
	storeCalls,
} from '../../../../in-process/deduplication';
import { inRun } from '../../../../in-process/probe';
import { inNewProcess } from '../../../../in-process/process';
import { whileTimePasses } from '../trigger.fixture';

let clock: Clock;

beforeEach(() => {
	clock = startClock({ standing: true });
	emptyStores();
});

/** A process of n8n; all have the store in common. */
function aProcess() {
	const path = '../../../../../nodes/FormResponses/trigger/run/marks';
	const marks = inNewProcess(() => jest.requireActual<typeof Marks>(path));
	const by =
		<Result>(make: (context: never, keys: string[]) => Promise<Result>) =>
		async (...keys: string[]) =>
			await inRun(async (context) => await make(context as never, keys), { mode: 'webhook' });
	return { mark: by(marks.mark), markDurably: by(marks.markDurably) };
}

type Process = ReturnType<typeof aProcess>;

/** Both read before either writes, so that `other` erases what `one` made. */
async function collide(one: Process, other: Process) {
	slowStore(() => 100);
	await whileTimePasses(clock, Promise.all([one.mark('a'), other.mark('b')]));
	slowStore(() => 0);
}

/** So often that there is no time to make marks again but with a call. */
async function callOften({ mark }: Process, calls: number) {
	for (let call = 1; call <= calls; call++) {
		await clock.pass(100);
		await whileTimePasses(clock, mark(`call ${call} at ${clock.elapsed()}`));
	}
}

/** One made two seconds ago and one just now, by the process that is given. */
async function anOldAndAYoungMark(): Promise<Process> {
	const one = aProcess();
	await whileTimePasses(clock, one.mark('old'));
	await clock.pass(2_000);
	await whileTimePasses(clock, one.mark('young'));
	return one;
}

test('a mark is new once', async () => {
	const { mark } = aProcess();
	const first = await whileTimePasses(clock, mark('a', 'b'));
	const second = await whileTimePasses(clock, mark('b', 'c'));
	expect([first, second]).toEqual([new Set(['a', 'b']), new Set(['c'])]);
});

test('what another process erased is made again within a second', async () => {
	const [one, other] = [aProcess(), aProcess()];
	await collide(one, other);
	expect(recorded()).toHaveLength(1);
	await clock.pass(1_000);
	expect(recorded().sort()).toEqual(['a', 'b']);
});

test('a mark is made again until it has stayed for 10 seconds, and then no more', async () => {
	const { mark } = aProcess();
	await whileTimePasses(clock, mark('a'));
	await clock.pass(9_000);
	await whileTimePasses(clock, mark('b'));
	emptyStores();
	await clock.pass(1_000);
	await whileTimePasses(clock, mark('c'));
	expect(recorded().sort()).toEqual(['a', 'b', 'c']);
	// Less than the minute after which a mark that never stayed is given up.
	await clock.pass(50_000);
	emptyStores();
	await whileTimePasses(clock, mark('d'));
	expect(recorded()).toEqual(['d']);
});

test('a mark that was erased has to stay for 10 seconds more', async () => {
	const { mark } = aProcess();
	await whileTimePasses(clock, mark('a'));
	for (const waitMs of [9_000, 3_000, 1_000]) {
		await clock.pass(waitMs);
		emptyStores();
		await whileTimePasses(clock, mark(`after ${waitMs}`));
		expect(recorded()).toContain('a');
	}
});

test('what is erased again and again is made again within a second each time, for a minute', async () => {
	await whileTimePasses(clock, aProcess().mark('a'));
	let times = 0;
	while (clock.elapsed() < 61_000) {
		times += recorded().length;
		emptyStores();
		await clock.pass(100);
	}
	expect(times).toBeGreaterThan(60);
	await clock.pass(60_000);
	expect(storeCalls()).toBe(0);
});

test('a process makes the 400 marks again that it made last', async () => {
	const { mark } = aProcess();
	const many = Array.from({ length: 400 }, (_, index) => `${index}`);
	for (const marks of [many, ['0'], ['one more']]) await whileTimePasses(clock, mark(...marks));
	await clock.pass(2_000);
	emptyStores();
	await whileTimePasses(clock, mark('last'));
	const expected = new Set([...many, 'one more', 'last']);
	expected.delete('1');
	expect(new Set(recorded())).toEqual(expected);
});

test('marks of more than a second ago go along with a call once a second, later ones with each', async () => {
	const one = await anOldAndAYoungMark();
	emptyStores();
	await whileTimePasses(clock, one.mark('one'));
	expect(recorded().sort()).toEqual(['one', 'young']);
	await callOften(one, 10);
	expect(recorded()).toContain('old');
});

test('an old mark goes along also where no call finds that any was erased', async () => {
	const one = await anOldAndAYoungMark();
	emptyStores();
	await whileTimePasses(clock, aProcess().mark('young'));
	await callOften(one, 3);
	expect(recorded()).not.toContain('old');
	await callOften(one, 3);
	expect(recorded()).toContain('old');
});

test.each([
	['finds marks erased', []],
	['fails', [new Error('The database is locked')]],
])('where a call of the store %s, all go along with the next one', async (_, failures) => {
	const one = await anOldAndAYoungMark();
	emptyStores();
	failStore(...failures);
	await callOften(one, 1);
	expect(recorded()).not.toContain('old');
	emptyStores();
	await callOften(one, 1);
	expect(recorded()).toContain('old');
});

test('a clock that was set back keeps no mark from being made again', async () => {
	const one = aProcess();
	await whileTimePasses(clock, one.mark('before'));
	jest.spyOn(Date, 'now').mockImplementation(() => clock.now() - 3_600_000);
	await whileTimePasses(clock, one.mark('old'));
	await callOften(one, 20);
	emptyStores();
	await callOften(one, 10);
	expect(recorded()).toContain('old');
});

test('where another process was seen to erase marks, they are made until they stay', async () => {
	const [one, other] = [aProcess(), aProcess()];
	await collide(one, other);
	await clock.pass(2_000);
	const made = one.markDurably('c');
	await clock.pass(60);
	emptyStores();
	const before = clock.elapsed();
	await whileTimePasses(clock, made);
	expect(recorded()).toContain('c');
	expect(clock.elapsed() - before).toBeLessThan(1_200);
});

test('a store that forgets at once holds n8n for no longer than five checks', async () => {
	const [one, other] = [aProcess(), aProcess()];
	await collide(one, other);
	await clock.pass(2_000);
	const before = clock.elapsed();
	let isOver = false;
	void one.markDurably('c').then(() => (isOver = true));
	while (!isOver) {
		emptyStores();
		await clock.pass(20);
	}
	expect(clock.elapsed() - before).toBeGreaterThan(1_500);
	expect(clock.elapsed() - before).toBeLessThan(2_500);
});
