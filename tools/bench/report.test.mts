import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checksOf } from './report.mts';
import { isMet, type Check, type Row } from './row.mts';

const row: Row = {
	title: 'Row',
	how: 'Does something.',
	counted: 1,
	runs: () => Promise.resolve({}),
	checks: () => [],
};

/** The last cells of a check: measured, bar, met. */
const cellsOf = (check: Omit<Check, 'what'>) =>
	checksOf([{ row, measured: {}, checks: [{ what: 'time', ...check }] }])
		.split('\n')
		.at(-1)!
		.slice(2, -2)
		.split(' | ')
		.slice(2);

const lines: Array<[check: Omit<Check, 'what'>, cells: string[]]> = [
	[{ value: 0.9762, bar: ['at least', 0.97] }, ['0.976×', '≥0.97×', 'yes']],
	[{ value: 0.9704, bar: ['at least', 0.97] }, ['0.97×', '≥0.97×', 'yes']],
	[{ value: 0.968, bar: ['at least', 0.97] }, ['0.968×', '≥0.97×', '**no**']],
	[{ value: 0.9696, bar: ['at least', 0.97] }, ['0.9696×', '≥0.97×', '**no**']],
	[{ value: 0.969996, bar: ['at least', 0.97] }, ['0.969996×', '≥0.97×', '**no**']],
	[{ value: 1.2004, bar: ['at most', 1.2] }, ['1.2004×', '≤1.2×', '**no**']],
	[{ value: 100.4, unit: 'ms', bar: ['at most', 100] }, ['100.4 ms', '≤100 ms', '**no**']],
	[{ value: 999.6, unit: '', bar: ['exactly', 1_000] }, ['999.6', '=1,000', '**no**']],
	[{ value: 1_000, unit: '', bar: ['exactly', 1_000] }, ['1,000', '=1,000', 'yes']],
];

for (const [check, cells] of lines) {
	test(`${check.value} is told as ${cells.join(' ')}`, () => {
		assert.deepEqual(cellsOf(check), cells);
	});
}

test('what misses its bar never reads like it, however little it misses', () => {
	const bars = [0.45, 0.97, 1.1, 15, 100, 165, 1_000, 20_000];
	const parts = Array.from({ length: 15 }, (_, digits) => 10 ** -digits);
	const checks = bars.flatMap((bar) =>
		[...parts, Number.EPSILON].flatMap((part) => [
			{ what: 'time', value: bar * (1 + part), bar: ['at most', bar] } satisfies Check,
			{ what: 'time', value: bar * (1 - part), bar: ['at least', bar] } satisfies Check,
			{ what: 'time', value: bar * (1 + part), bar: ['exactly', bar] } satisfies Check,
		]),
	);
	const misses = checks.filter((check) => !isMet(check));
	assert.ok(misses.length > 300, `${misses.length}`);
	const alike = misses.filter((check) => {
		const [measured, bar = '', met] = cellsOf(check);
		return measured === bar.slice(1) || met !== '**no**';
	});
	assert.deepEqual(alike, []);
});
