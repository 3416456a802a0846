// npm run bench -- [--quick] [row …]
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { buildOf } from './build.mts';
import { describeMachine } from './machine.mts';
import { writeDocument } from './report/document.mts';
import { readResults, writeResults } from './report/results.mts';
import { tableOf } from './report/table.mts';
import { isMet } from './row.mts';
import type { Bench, Row } from './row.mts';
import { deliveries } from './rows/deliveries.mts';
import { forms } from './rows/forms.mts';
import { gets } from './rows/gets.mts';
import { limited } from './rows/limited.mts';
import { manyForms } from './rows/many-forms.mts';
import { manyItems } from './rows/many-items.mts';
import { packageRow } from './rows/package.mts';
import { pureParts } from './rows/pure-parts.mts';
import { rateLimiter } from './rows/rate-limiter.mts';
import { openStage } from './stage/stage.mts';
import type { Stage } from './stage/stage.mts';

const rows: Record<string, Row> = {
	forms,
	gets,
	limited,
	rateLimiter,
	deliveries,
	manyForms,
	manyItems,
	package: packageRow,
	pureParts,
};

const { values, positionals } = parseArgs({
	options: { quick: { type: 'boolean', default: false } },
	allowPositionals: true,
});
const unknown = positionals.filter((id) => !Object.hasOwn(rows, id));
if (unknown.length > 0) {
	console.error(`No such row: ${unknown.join(', ')}. Rows: ${Object.keys(rows).join(', ')}.`);
	process.exit(1);
}

// n8n and the service are ended, and their data removed, when the process exits.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const chosen = positionals.length > 0 ? positionals : Object.keys(rows);
const isQuick = values.quick;
let stage: Promise<Stage> | undefined;
const bench: Bench = {
	stage: () => (stage ??= openStage()),
	isQuick,
	show: (progress) => console.log(`  ${progress}`),
};

const machine = describeMachine();
/** What else the machine was doing. */
const loadBefore = Number(loadavg()[0]!.toFixed(1));
const results = { machine, rows: readResults()?.rows ?? {} };

async function write() {
	// In the order of the table above, whichever were measured now.
	const known = Object.keys(rows).filter((id) => Object.hasOwn(results.rows, id));
	const ordered = Object.fromEntries(known.map((id) => [id, results.rows[id]!]));
	await writeResults({ machine, rows: ordered });
	await writeDocument({ machine, rows: ordered }, Object.keys(rows));
}

try {
	for (const [index, id] of chosen.entries()) {
		console.log(`[${index + 1}/${chosen.length}] ${id}`);
		const row = await rows[id]!(bench);
		const build = buildOf((await bench.stage()).packageFolder);
		results.rows[id] = { ...row, measuredAt: new Date().toISOString(), loadBefore, build };
		console.log(tableOf(row));
		if (!isQuick) await write();
	}
} finally {
	await (await stage)?.close();
}

const missed = chosen.flatMap((id) => results.rows[id]!.checks).filter((check) => !isMet(check));
console.log(missed.length === 0 ? 'All bars are met.' : `${missed.length} bars are missed.`);
console.log(
	isQuick
		? 'Few runs, so nothing was written.'
		: 'Written: test/bench/results.json and docs/benchmarks.md',
);
