// npm run bench -- [--quick] [row …]
import { parseArgs } from 'node:util';
import * as delivering from './delivering.mts';
import * as limits from './limits.mts';
import { measure } from './measure.mts';
import { packageRow } from './package.mts';
import { writePage } from './page.mts';
import * as reading from './reading.mts';
import { checksOf, textOf } from './report.mts';
import { isMet, type Result, type Row } from './row.mts';
import { openBenchStage } from './stage.mts';

const rows: Record<string, Row> = { ...reading, ...limits, ...delivering, package: packageRow };
const options = { quick: { type: 'boolean', default: false } } as const;
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const chosen = positionals.length > 0 ? positionals : Object.keys(rows);
if (!chosen.every((name) => name in rows)) {
	console.error(`The rows are ${Object.keys(rows).join(', ')}.`);
	process.exit(1);
}

// n8n and the services are ended, and their data removed, when the process exits.
process.setMaxListeners(0);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

const measuredAt = new Date();
const results: Result[] = [];
const common = await openBenchStage();

for (const name of chosen) {
	console.log(`\n${name}`);
	const row = rows[name];
	let stage = common;
	try {
		if (row.open) stage = await row.open();
		const result = await measure(row, stage, values.quick ? 1 : row.counted);
		results.push(result);
		console.log(`\n${textOf(result)}\n\n${checksOf([result])}`);
	} catch (error) {
		// The others can be measured all the same.
		console.error(`${name} could not be measured:`, error);
	}
	if (stage !== common) await stage.close();
}
await common.close();

const isWhole = results.length === Object.keys(rows).length && !values.quick;
if (isWhole) await writePage(results, measuredAt);
const areMet = results.flatMap(({ checks }) => checks).every(isMet);
if (results.length < chosen.length || !areMet) process.exitCode = 1;
