import { startClock, type Clock } from '../../../../kit/clock';
import { emptyStores, failStore, recorded, storeCalls } from '../../../../kit/processedStore';
import { inRun } from '../../../../kit/inRun';
import { whileTimePasses } from '../trigger.fixture';
import { aProcess } from './process.fixture';

const MINUTE = 60_000;
const locked = new Error('The database is locked');

let clock: Clock;

beforeEach(() => {
	clock = startClock({ standing: true });
	emptyStores();
});

function anN8n(options = {}) {
	const { ask, keep, memory } = aProcess(options);
	const asked = async (keys: string[]) =>
		await inRun(async (context) => await ask(context, memory, keys));
	const begin = async (...keys: string[]) => {
		keep(memory, keys);
		return await asked(keys);
	};
	return {
		/** Asks for marks, and keeps them. */
		make: async (...keys: string[]) => await whileTimePasses(clock, begin(...keys)),
		ask: async (...keys: string[]) => await whileTimePasses(clock, asked(keys)),
	};
}

describe.each([0, 0.999])('at a random moment (%d)', (random) => {
	test.each([
		[0, 400, 600],
		[700, 2_800, 4_200],
		[4_300, 12_400, 18_600],
		[18_700, 32_400, 48_600],
	])('what is erased after %i ms is made again after %i or %i ms', async (erased, ...after) => {
		jest.spyOn(Math, 'random').mockReturnValue(random);
		await anN8n().make('a');
		await clock.pass(erased);
		emptyStores();
		while (recorded().length === 0 && clock.elapsed() < MINUTE) await clock.pass(100);
		expect(clock.elapsed()).toBe(after[Math.round(random)]);
	});
});

test('timers end, and start again with the next call', async () => {
	const { make, ask } = anN8n();
	await make('a');
	await clock.pass(MINUTE);
	expect(storeCalls()).toBe(5);
	await clock.pass(10 * MINUTE);
	expect(storeCalls()).toBe(5);
	await make('b');
	await ask('c');
	emptyStores();
	await clock.pass(10 * MINUTE);
	expect([storeCalls(), recorded()]).toEqual([4, ['b']]);
});

test('a mark goes along with calls for a minute, and rests for an eighth of its age', async () => {
	const { make, ask } = anN8n();
	await make('a');
	const repeated = [clock.elapsed()];
	while (clock.elapsed() < 1.2 * MINUTE) {
		await clock.pass(100);
		emptyStores();
		await ask('b');
		if (recorded().includes('a')) repeated.push(clock.elapsed());
	}
	for (const [index, at] of repeated.slice(1).entries()) {
		const rest = at - repeated[index];
		expect([rest > at / 8, rest < at / 8 + 200]).toEqual([true, true]);
	}
	expect(Math.max(...repeated)).toBeLessThan(MINUTE);
	expect(Math.max(...repeated)).toBeGreaterThan(0.85 * MINUTE);
});

test('a process repeats the 400 marks that it made last', async () => {
	const { make, ask } = anN8n();
	const many = Array.from({ length: 400 }, (_, index) => `${index}`);
	for (const marks of [many, ['0'], ['one more']]) await make(...marks);
	await clock.pass(300);
	emptyStores();
	await ask('last');
	const expected = new Set([...many, 'one more', 'last']);
	expected.delete('1');
	expect(new Set(recorded())).toEqual(expected);
});

describe('beside the trigger, where no other process writes', () => {
	test('nothing is made again', async () => {
		const { make, ask } = anN8n({ hasTrigger: true });
		await make('a');
		emptyStores();
		await clock.pass(MINUTE);
		await ask('b');
		expect(recorded()).toEqual(['b']);
	});

	test('what the store failed to write is, until it is written', async () => {
		const { make, ask } = anN8n({ hasTrigger: true });
		failStore(locked, locked);
		expect(await make('a')).toBeUndefined();
		await clock.pass(1_200);
		expect(recorded()).toEqual([]);
		await clock.pass(4_800);
		expect(recorded()).toEqual(['a']);
		emptyStores();
		await ask('b');
		expect(recorded()).toEqual(['b']);
	});
});
