import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checksTable, isMet } from './report.mts';
import type { Bar } from './row.mts';

/** The last cells of a check: measured, bar, met. */
function cellsOf(value: number, bar: Bar) {
	const lines = checksTable([{ row: 'Row', what: 'time', value, bar }]).split('\n');
	return lines.at(-1)!.slice(2, -2).split(' | ').slice(2);
}

const lines: Array<[value: number, bar: Bar, ...cells: string[]]> = [
	[0.9762, '≥0.97×', '0.976×', '≥0.97×', 'yes'],
	[0.9704, '≥0.97×', '0.97×', '≥0.97×', 'yes'],
	[0.968, '≥0.97×', '0.968×', '≥0.97×', '**no**'],
	[0.9696, '≥0.97×', '0.9696×', '≥0.97×', '**no**'],
	[0.969996, '≥0.97×', '0.969996×', '≥0.97×', '**no**'],
	[1.2004, '≤1.2×', '1.2004×', '≤1.2×', '**no**'],
	[100.4, '≤100 ms', '100.4 ms', '≤100 ms', '**no**'],
	[999.6, '=1000', '999.6', '=1,000', '**no**'],
	[1_000, '=1000', '1,000', '=1,000', 'yes'],
];

for (const [value, bar, ...cells] of lines) {
	test(`${value} is told as ${cells.join(' ')}`, () => {
		assert.deepEqual(cellsOf(value, bar), cells);
	});
}

test('what misses its bar never reads like it, however little it misses', () => {
	const parts = [...Array.from({ length: 15 }, (_, digits) => 10 ** -digits), Number.EPSILON];
	const misses = [0.45, 0.97, 1.1, 15, 100, 165, 1_000, 20_000]
		.flatMap((than) =>
			parts.flatMap(
				(part): Array<[value: number, bar: Bar]> => [
					[than * (1 + part), `≤${than}`],
					[than * (1 - part), `≥${than}`],
					[than * (1 + part), `=${than}`],
				],
			),
		)
		.filter(([value, bar]) => !isMet({ value, bar }));
	assert.ok(misses.length > 300, `${misses.length}`);
	for (const miss of misses) {
		const [measured, bar, met] = cellsOf(...miss);
		assert.notEqual(measured, bar!.slice(1));
		assert.equal(met, '**no**');
	}
});
