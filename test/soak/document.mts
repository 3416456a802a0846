import { writeDocumentPart } from '../run/document-part.mts';
import type { Result } from './soak.mts';

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

export function writeDocument(results: Result[]) {
	writeDocumentPart('docs/reliability.md', 'soak', tableOf(results));
}
