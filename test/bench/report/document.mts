import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../../playground/n8n/build.mts';
import type { Machine } from '../machine.mts';
import { markdownTable } from '../../run/markdown-table.mts';
import { isMet } from '../row.mts';
import type { RowResult } from '../row.mts';
import { barOf, quantity } from './format.mts';
import { drawRow, removePlots } from './plots.mts';
import type { MeasuredRow, Results } from './results.mts';

function machineText({ cores, processor, memoryGB, system, versions }: Machine): string {
	const used = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
	return `Measured on ${processor}, ${cores} cores, ${memoryGB} GB of memory, ${system}, with ${used.join(', ')}. n8n keeps its data in SQLite; n8n, the form service and the benchmark are three processes on this one machine, so they share its cores. The load average before a row tells how busy the machine was when \`npm run bench\` began (below 1 is quiet); what came and went meanwhile, the spread shows.`;
}

function summaryText(rows: RowResult[]): string {
	const checks = rows.flatMap(({ title, checks }) => checks.map((check) => ({ title, check })));
	const missed = checks.filter(({ check }) => !isMet(check));
	const lines = checks.map(({ title, check }) => [
		title,
		check.what,
		quantity(check.value, check.unit),
		barOf(check),
		isMet(check) ? 'met' : '**not met**',
	]);
	const verdict =
		missed.length === 0
			? `All ${checks.length} bars are met.`
			: `${checks.length - missed.length} of ${checks.length} bars are met. Missed: ${missed
					.map(({ title, check }) => `${title}, ${check.what}`)
					.join('; ')}.`;
	return `${verdict}\n\n${markdownTable(['row', 'what', 'measured', 'bar', ''], lines)}`;
}

async function rowText(id: string, row: MeasuredRow): Promise<string> {
	const lines = row.measures.map(({ name, unit, median, min, max, runs }) => [
		name,
		quantity(median, unit),
		`${quantity(min, '')} – ${quantity(max, '')}`,
		String(runs),
	]);
	const plots = [...(await drawRow(id, row))].map(([title, path]) => `![${title}](${path})`);
	return [
		`## ${row.title}`,
		`${row.how} Measured ${row.measuredAt.slice(0, 16).replace('T', ' ')} UTC, load average before ${row.loadBefore}, build ${row.build ?? 'not noted'}; \`npm run bench -- ${id}\`.`,
		markdownTable(['', 'median', 'least – most', 'runs'], lines),
		...plots,
	].join('\n\n');
}

/** Rows can be measured one by one, and the package can change in between. */
function buildText(rows: MeasuredRow[]): string[] {
	const builds = new Set(rows.map(({ build }) => build));
	if (builds.size <= 1 && !builds.has(undefined)) return [];
	return [
		'**Not all rows are known to be of one build of the package**, so they are no result for any one build until `npm run bench` has measured all of them again.',
	];
}

function unmeasuredText(rows: object, allRows: string[]): string[] {
	const unmeasured = allRows.filter((id) => !Object.hasOwn(rows, id));
	if (unmeasured.length === 0) return [];
	const names = unmeasured.map((id) => `\`${id}\``).join(', ');
	return [
		`**Not measured yet, or not since they were changed**: ${names}. \`npm run bench -- ${unmeasured.join(' ')}\` measures them.`,
	];
}

/** Writes docs/benchmarks.md and its plots. */
export async function writeDocument({ machine, rows }: Results, allRows: string[]) {
	removePlots();
	const parts = [];
	for (const [id, row] of Object.entries(rows)) parts.push(await rowText(id, row));
	const text = [
		'# Benchmarks',
		"Made by `npm run bench`; the numbers are in [test/bench/results.json](../test/bench/results.json). Each row runs the node and its peers in turn (A B, B A, …) after one warm-up, in a real n8n with the playground's form service; ratios are of medians.",
		machineText(machine),
		...buildText(Object.values(rows)),
		...unmeasuredText(rows, allRows),
		summaryText(Object.values(rows)),
		...parts,
		`## Run it

\`\`\`
npm run bench                 # all rows, then this page, the plots and results.json
npm run bench -- --quick      # all rows with few runs, shown only
npm run bench -- forms gets   # some rows: ${allRows.join(', ')}
npm run bench -- --page       # nothing, only this page from results.json
\`\`\`

It ends with an error when a bar is missed. The first run installs what it needs; \`queueDeliveries\` also needs Redis and PostgreSQL (on Debian: \`apt-get install redis-server postgresql\`). Times depend on the machine, ratios much less so; let nothing else run meanwhile.`,
	].join('\n\n');
	mkdirSync(join(packageRoot, 'docs'), { recursive: true });
	writeFileSync(join(packageRoot, 'docs/benchmarks.md'), `${text}\n`);
}
