import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../playground/n8n/build.mts';
import { n8nVersion } from '../../playground/n8n/version.mts';
import { markdownTable } from '../run/markdown-table.mts';
import { manifest, packed } from './package.mts';
import { plotRatios } from './plot.mts';
import { isMet, median, type Result } from './row.mts';

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

export function checksOf(results: Result[]): string {
	const checks = results.flatMap((result) => result.checks);
	const lines = results.flatMap(({ row, checks }) =>
		checks.map((check) => {
			const { what, value, unit = '×', bar } = check;
			const measured = `${format(value)} ${unit}`.trim();
			const verdict = isMet(check) ? 'met' : '**missed**';
			return [row.title, what, measured, `${bar[0]} ${format(bar[1])}`, verdict];
		}),
	);
	const table = markdownTable(['row', 'what', 'measured', 'bar', ''], lines);
	return `${checks.filter(isMet).length} of ${checks.length} bars are met.\n\n${table}`;
}

function machine(measuredAt: Date): string {
	const time = measuredAt.toISOString().slice(0, 16).replace('T', ' ');
	const processor = `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores`;
	const system = `${type()} ${process.arch}, n8n ${n8nVersion()}, Node.js ${process.versions.node}`;
	const build = `version ${manifest.version} (npm's shasum ${packed().shasum.slice(0, 8)})`;
	return `Measured from ${time} UTC on ${processor}, ${Math.round(totalmem() / 2 ** 30)} GB of memory, ${system}, with ${build}. n8n with SQLite, the form service and the benchmark share this machine.`;
}

/** Writes docs/benchmarks.md and its picture, which are of one run of all rows. */
export async function writePage(results: Result[], measuredAt: Date) {
	const docs = join(packageRoot, 'docs');
	writeFileSync(join(docs, 'images/benchmarks.svg'), `${await plotRatios(results)}\n`);
	const text = [
		'# Benchmarks',
		'`npm run bench` measures all this and writes the page (about 45 minutes). Each row runs the node and its peers in turn after a warm-up, in a real n8n with the playground; ratios are the medians of those of all rounds. It ends with an error when a bar is missed. Let nothing else run meanwhile.',
		machine(measuredAt),
		checksOf(results),
		'![Each ratio beside its bar](images/benchmarks.svg)',
		...results.map(textOf),
	].join('\n\n');
	writeFileSync(join(docs, 'benchmarks.md'), `${text}\n`);
}
