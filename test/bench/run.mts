// npm run bench -- [--quick] [row …]
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { buildOf } from './build.mts';
import { describeMachine } from './machine.mts';
import { writePage } from './report/page.mts';
import { tableOf } from './report/table.mts';
import { isMet } from './row.mts';
import type { Bench, RowResult } from './row.mts';
import { allRows } from './rows/all.mts';
import { openBenchStage } from './stage/stage.mts';
import type { Stage } from './stage/stage.mts';

const { values, positionals } = parseArgs({
	options: { quick: { type: 'boolean', default: false } },
	allowPositionals: true,
});
const known = Object.keys(allRows);
const unknown = positionals.filter((id) => !known.includes(id));
if (unknown.length > 0) {
	console.error(`No such row: ${unknown.join(', ')}. Rows: ${known.join(', ')}.`);
	process.exit(1);
}

// n8n and the service are ended, and their data removed, when the process exits.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const chosen = positionals.length > 0 ? positionals : known;
const measuredAt = new Date().toISOString();
const loadBefore = Number(loadavg()[0].toFixed(1));
const rows: RowResult[] = [];
const failed: string[] = [];
let stage: Promise<Stage> | undefined;
const bench: Bench = {
	stage: () => (stage ??= openBenchStage()),
	isQuick: values.quick,
	show: (progress) => console.log(`  ${progress}`),
};

try {
	for (const [index, id] of chosen.entries()) {
		console.log(`[${index + 1}/${chosen.length}] ${id}`);
		const startedAt = Date.now();
		try {
			const row = await allRows[id](bench);
			rows.push(row);
			console.log(tableOf(row));
		} catch (error) {
			// The others can be measured all the same.
			failed.push(id);
			console.error(`  ${id} could not be measured:`, error);
		}
		console.log(`  after ${Math.round((Date.now() - startedAt) / 1_000)} s\n`);
	}
	const isWhole = rows.length === known.length && !values.quick;
	if (isWhole) {
		const build = buildOf((await bench.stage()).packageFolder);
		await writePage({ machine: describeMachine(), build, measuredAt, loadBefore, rows });
	}
	console.log(isWhole ? 'Written: docs/benchmarks.md' : 'Not written: only a whole run is.');
} finally {
	await (await stage)?.close();
}

const checks = rows.flatMap((row) => row.checks);
const missed = checks.filter((check) => !isMet(check));
console.log(`${checks.length - missed.length} of ${checks.length} bars are met.`);
if (failed.length > 0) console.log(`Not measured: ${failed.join(', ')}.`);
if (missed.length > 0 || failed.length > 0) process.exitCode = 1;
