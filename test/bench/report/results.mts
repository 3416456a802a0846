import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import type { Machine } from '../machine.mts';
import type { RowResult } from '../row.mts';
import { writeDocument } from './document.mts';

const path = join(import.meta.dirname, '../results.json');

export interface MeasuredRow extends RowResult {
	measuredAt: string;
	/** The machine's load average of one minute, just before the benchmarks were started. */
	loadBefore: number;
	/** Which built files were measured; missing where it was not noted. */
	build?: string;
}

export interface Results {
	machine: Machine;
	rows: Record<string, MeasuredRow>;
}

export function readResults(): Results | undefined {
	return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Results) : undefined;
}

async function writeResults(results: Results) {
	const rounded = JSON.stringify(results, (_, value: unknown) =>
		typeof value === 'number' ? Number(value.toPrecision(6)) : value,
	);
	writeFileSync(path, await format(rounded, { parser: 'json', useTabs: true, printWidth: 100 }));
}

/** Writes results.json and the page: the known rows, in their order, whichever were measured now. */
export async function writeReport({ machine, rows }: Results, known: string[]) {
	const measured = known.filter((id) => Object.hasOwn(rows, id));
	const ordered = Object.fromEntries(measured.map((id) => [id, rows[id]]));
	await writeResults({ machine, rows: ordered });
	await writeDocument({ machine, rows: ordered }, known);
}
