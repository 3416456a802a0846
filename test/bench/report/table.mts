import { isMet } from '../row.mts';
import type { RowResult } from '../row.mts';
import { barOf, quantity } from './format.mts';

function aligned(lines: string[][]): string {
	const widths = lines[0].map((_, column) =>
		Math.max(...lines.map((cells) => cells[column].length)),
	);
	return lines
		.map((cells) =>
			cells
				.map((cell, column) => cell.padEnd(widths[column]))
				.join('  ')
				.trimEnd(),
		)
		.join('\n');
}

/** A row as it is shown on a terminal. */
export function tableOf({ title, measures, checks }: RowResult): string {
	const measured = measures.map(({ name, unit, median, min, max, runs }) => [
		`  ${name}`,
		quantity(median, unit),
		`${quantity(min, '')} to ${quantity(max, '')}`,
		`${runs} runs`,
	]);
	const checked = checks.map((check) => [
		`  ${check.what}`,
		quantity(check.value, check.unit),
		barOf(check),
		isMet(check) ? 'met' : 'NOT MET',
	]);
	return `\n${title}\n${aligned([...measured, ...checked])}\n`;
}
