import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../playground/n8n/build.mts';
import { markdownTable } from '../../run/markdown-table.mts';
import type { Machine } from '../machine.mts';
import { isMet } from '../row.mts';
import type { RowResult } from '../row.mts';
import { barOf, quantity } from './format.mts';
import { drawRatios } from './picture.mts';

/** What was measured, and on what. */
export interface Run {
	machine: Machine;
	/** Names the built files. */
	build: string;
	measuredAt: string;
	/** The machine's load average of one minute, just before the run. */
	loadBefore: number;
	rows: RowResult[];
}

function machineText({ machine, build, measuredAt, loadBefore }: Omit<Run, 'rows'>): string {
	const { cores, processor, memoryGB, system, versions } = machine;
	const used = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
	return `Measured from ${measuredAt.slice(0, 16).replace('T', ' ')} UTC on ${processor}, ${cores} cores, ${memoryGB} GB of memory, ${system}, with ${used.join(', ')}, build ${build}; load average before ${loadBefore}. n8n with SQLite, the form service and the benchmark share this machine.`;
}

function checksText(rows: RowResult[]): string {
	const checks = rows.flatMap(({ title, checks }) => checks.map((check) => ({ title, check })));
	const missed = checks.filter(({ check }) => !isMet(check));
	const names = missed.map(({ title, check }) => `${title}: ${check.what}`).join('; ');
	const verdict =
		missed.length === 0
			? `All ${checks.length} bars are met.`
			: `${checks.length - missed.length} of ${checks.length} bars are met. Missed: ${names}.`;
	const lines = checks.map(({ title, check }) => [
		title,
		check.what,
		quantity(check.value, check.unit),
		barOf(check),
		isMet(check) ? 'met' : '**missed**',
	]);
	return `${verdict}\n\n${markdownTable(['row', 'what', 'measured', 'bar', ''], lines)}`;
}

const rowText = ({ title, how, measures }: RowResult): string => {
	const lines = measures.map(({ name, unit, median, min, max, runs }) => [
		name,
		quantity(median, unit),
		`${quantity(min, '')} – ${quantity(max, '')}`,
		String(runs),
	]);
	return `## ${title}\n\n${how}\n\n${markdownTable(['', 'median', 'least – most', 'runs'], lines)}`;
};

/** Writes docs/benchmarks.md and its picture, which are of one run of all rows. */
export async function writePage(run: Run) {
	const docs = join(packageRoot, 'docs');
	await drawRatios(run.rows, join(docs, 'images/benchmarks.svg'));
	const text = [
		'# Benchmarks',
		'`npm run bench` measures all this and writes the page (about 45 minutes). Each row runs the node and its peers in turn after a warm-up, in a real n8n with the playground; ratios are of medians. It ends with an error when a bar is missed. Let nothing else run meanwhile.',
		machineText(run),
		checksText(run.rows),
		'![Each ratio beside its bar](images/benchmarks.svg)',
		...run.rows.map(rowText),
	].join('\n\n');
	writeFileSync(join(docs, 'benchmarks.md'), `${text}\n`);
}
