import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../playground/n8n/build.mts';
import { n8nVersion } from '../../playground/n8n/version.mts';
import { manifest, packed } from './package.mts';
import { plotRatios } from './plot.mts';
import { checksTable } from './report.mts';
import type { Check } from './row.mts';

const TERMS =
	"A **bar** is what a figure has to be: at most (≤), at least (≥) or exactly (=) that much. A **peer** is what does the same task beside the package: n8n's HTTP Request node, a bare loop of requests, or a bare trigger, which only passes data on.";

const METHOD =
	'Each row runs node and peers in turn, after a warm-up, in a real n8n. × compares median times (for deliveries, rates) with the peer or limit named. `npm run bench` shows details, writes this page, and fails if a bar is missed.';

function machine(measuredAt: Date): string {
	const time = measuredAt.toISOString().slice(0, 16).replace('T', ' ');
	const processor = `${cpus()[0]?.model.trim()}, ${availableParallelism()} cores`;
	const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
	const system = `${type()} ${process.arch}, n8n ${n8nVersion()}, Node.js ${process.versions.node}`;
	const build = `package ${manifest.version} (build ${packed().shasum.slice(0, 8)})`;
	return `Measured ${time} UTC on ${processor}, ${memory}, ${system}, ${build}. n8n, form service and benchmark share this machine.`;
}

/** Writes docs/benchmarks.md and its picture, which are of one run of all rows. */
export async function writePage(checks: Check[], measuredAt: Date) {
	const docs = join(packageRoot, 'docs');
	writeFileSync(join(docs, 'images/benchmarks.svg'), `${await plotRatios(checks)}\n`);
	const picture = '![Each ratio beside its bar](images/benchmarks.svg)';
	const parts = ['# Benchmarks', machine(measuredAt), TERMS, checksTable(checks), picture, METHOD];
	writeFileSync(join(docs, 'benchmarks.md'), `${parts.join('\n\n')}\n`);
}
