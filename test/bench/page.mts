import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../playground/n8n/build.mts';
import { n8nVersion } from '../../playground/n8n/version.mts';
import { markdownTable } from '../run/markdown-table.mts';
import { manifest, packed } from './package.mts';
import { plotRatios } from './plot.mts';
import { isMet, median, type Check, type Result } from './row.mts';

/** Three digits, or all before the point. */
const { format } = new Intl.NumberFormat('en', {
	maximumSignificantDigits: 3,
	maximumFractionDigits: 0,
	roundingPriority: 'morePrecision',
});

export function textOf({ row, measured }: Result): string {
	const lines = Object.entries(measured).flatMap(([name, figures]) =>
		Object.entries(figures).map(([what, values]) => [
			name,
			`${format(median(values))} ${what}`,
			`${format(Math.min(...values))} – ${format(Math.max(...values))}`,
			String(values.length),
		]),
	);
	const table = markdownTable(['', 'median', 'least – most', 'runs'], lines);
	return `## ${row.title}\n\n${row.how}\n\n${table}`;
}

const signs: Record<Check['bar'][0], string> = { 'at most': '≤', 'at least': '≥', exactly: '=' };

function lineOf({ row }: Result, check: Check): string[] {
	const { what, value, unit, bar } = check;
	const figure = (number: number) => `${format(number)}${unit === undefined ? '×' : ` ${unit}`}`;
	const bound = `${signs[bar[0]]}${figure(bar[1])}`;
	return [row.title, what, figure(value).trim(), bound.trim(), isMet(check) ? 'yes' : '**no**'];
}

export function checksOf(results: Result[]): string {
	const checks = results.flatMap((result) => result.checks);
	const lines = results.flatMap((result) => result.checks.map((check) => lineOf(result, check)));
	const table = markdownTable(['row', 'what', 'measured', 'bar', 'met'], lines);
	return `${checks.filter(isMet).length} of ${checks.length} bars are met.\n\n${table}`;
}

function machine(measuredAt: Date): string {
	const time = measuredAt.toISOString().slice(0, 16).replace('T', ' ');
	const processor = `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores`;
	const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
	const system = `${type()} ${process.arch}, n8n ${n8nVersion()}, Node.js ${process.versions.node}`;
	const build = `package ${manifest.version} (build ${packed().shasum.slice(0, 8)})`;
	return `Measured ${time} UTC on ${processor}, ${memory}, ${system}, ${build}. n8n, form service and benchmark share this machine.`;
}

/** Writes docs/benchmarks.md and its picture, which are of one run of all rows. */
export async function writePage(results: Result[], measuredAt: Date) {
	const docs = join(packageRoot, 'docs');
	writeFileSync(join(docs, 'images/benchmarks.svg'), `${await plotRatios(results)}\n`);
	const text = [
		'# Benchmarks',
		machine(measuredAt),
		checksOf(results),
		'![Each ratio beside its bar](images/benchmarks.svg)',
		'Each row runs node and peers in turn, after a warm-up, in a real n8n. × compares median times (for deliveries, rates) with the peer or limit named. `npm run bench` shows details, writes this page, and fails if a bar is missed.',
	].join('\n\n');
	writeFileSync(join(docs, 'benchmarks.md'), `${text}\n`);
}
