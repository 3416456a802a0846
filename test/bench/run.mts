// npm run bench -- [--quick | --page] [row …]
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { buildOf } from './build.mts';
import { describeMachine } from './machine.mts';
import { readResults, writeReport } from './report/results.mts';
import { tableOf } from './report/table.mts';
import { isMet } from './row.mts';
import type { Bench, Check } from './row.mts';
import { allRows } from './rows/all.mts';
import { openBenchStage } from './stage/stage.mts';
import type { Stage } from './stage/stage.mts';

const { values, positionals } = parseArgs({
	options: {
		quick: { type: 'boolean', default: false },
		page: { type: 'boolean', default: false },
	},
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

const isQuick = values.quick;
const all = positionals.length > 0 ? positionals : known;
const chosen = values.page ? [] : all;
let stage: Promise<Stage> | undefined;
const bench: Bench = {
	stage: () => (stage ??= openBenchStage()),
	isQuick,
	show: (progress) => console.log(`  ${progress}`),
};

const before = readResults();
const machine = values.page && before ? before.machine : describeMachine();
/** What else the machine was doing. */
const loadBefore = Number(loadavg()[0].toFixed(1));
const results = { machine, rows: before?.rows ?? {} };
const checks: Check[] = [];
const failed: string[] = [];

async function measure(id: string) {
	const startedAt = Date.now();
	const row = await allRows[id](bench);
	const build = buildOf((await bench.stage()).packageFolder);
	results.rows[id] = { ...row, measuredAt: new Date().toISOString(), loadBefore, build };
	checks.push(...row.checks);
	console.log(tableOf(row));
	console.log(`  after ${Math.round((Date.now() - startedAt) / 1_000)} s\n`);
	if (!isQuick) await writeReport(results, known);
}

try {
	for (const [index, id] of chosen.entries()) {
		console.log(`[${index + 1}/${chosen.length}] ${id}`);
		try {
			await measure(id);
		} catch (error) {
			// The others can be measured all the same.
			failed.push(id);
			console.error(`  ${id} could not be measured:`, error);
		}
	}
} finally {
	await (await stage)?.close();
}

if (values.page) await writeReport(results, known);
const missed = checks.filter((check) => !isMet(check));
const lines = [
	checks.length > 0 && missed.length === 0 && `All ${checks.length} bars are met.`,
	missed.length > 0 && `${missed.length} of ${checks.length} bars are missed.`,
	failed.length > 0 && `Not measured: ${failed.join(', ')}.`,
	isQuick && 'Few runs, so nothing was written.',
	!isQuick &&
		failed.length < all.length &&
		'Written: test/bench/results.json and docs/benchmarks.md',
];
console.log(lines.filter(Boolean).join('\n'));
if (missed.length > 0 || failed.length > 0) process.exitCode = 1;
