import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../playground/n8n/build.mts';
import type { Result } from './soak.mts';

const BEGIN = '<!-- soak:begin -->';
const END = '<!-- soak:end -->';

const columns = [
	'deployment',
	'seed',
	'responses',
	'faults',
	'lost',
	'twice',
	'killed as it ended',
	'time',
];

const timeOf = (seconds: number) =>
	`${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;

function cellsOf({ deployment, seed, responses, faults, seconds, ...found }: Result) {
	const { lost, twice, unrecorded } = found;
	const numbers = [seed, responses, faults, lost.length, twice.length, unrecorded].map((number) =>
		number.toLocaleString('en'),
	);
	return [deployment, ...numbers, timeOf(seconds)];
}

export function tableOf(results: Result[]): string {
	const rows = [columns, ...results.map(cellsOf)];
	const widths = columns.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
	const line = (cells: string[]) =>
		`| ${cells.map((cell, column) => (column ? cell.padStart(widths[column]!) : cell.padEnd(widths[column]!))).join(' | ')} |`;
	const rule = `| ${widths.map((width, column) => (column ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width))).join(' | ')} |`;
	const [head, ...body] = rows.map(line);
	return [head, rule, ...body].join('\n');
}

/** Puts the table between the two marks in the document. */
export function writeDocument(results: Result[]) {
	const path = join(packageRoot, 'docs', 'reliability.md');
	const text = readFileSync(path, 'utf8');
	const [before, rest] = text.split(BEGIN);
	const after = rest?.split(END)[1];
	if (after === undefined) throw new Error(`${path} has no place for the table: ${BEGIN}, ${END}`);
	writeFileSync(path, `${before}${BEGIN}\n\n${tableOf(results)}\n\n${END}${after}`);
}
