// npm run bench -- [--quick] [row …]
import { parseArgs } from 'node:util';
import { openRig } from '../../test/n8n/kit/real-n8n.mts';
import '../end-on-signal.mts';
import * as delivering from './delivering.mts';
import * as limits from './limits.mts';
import { measure } from './measure.mts';
import { packageRow } from './package.mts';
import { writePage } from './page.mts';
import * as reading from './reading.mts';
import { checksTable, isMet } from './report.mts';
import { withPeers } from './rig.mts';
import { median, type Check, type Measured, type Row } from './row.mts';

const rows: Record<string, Row> = { ...reading, ...limits, ...delivering, package: packageRow };
const options = { quick: { type: 'boolean', default: false } } as const;
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const chosen = Object.entries(rows).filter(
	([name]) => positionals.length === 0 || positionals.includes(name),
);
if (!positionals.every((name) => Object.hasOwn(rows, name))) {
	console.error(`The rows are ${Object.keys(rows).join(', ')}.`);
	process.exit(1);
}

// Each n8n and service adds a listener.
process.setMaxListeners(0);

function showFigures(name: string, figures: Measured[string]) {
	for (const [what, all] of Object.entries(figures)) {
		const [least, most] = [Math.min(...all), Math.max(...all)];
		console.log(`${name}: ${median(all)} ${what} (${least} to ${most})`);
	}
}

const measuredAt = new Date();
const checks: Check[] = [];
const common = await openRig(withPeers);
let failed = 0;

for (const [name, row] of chosen) {
	console.log(`\n## ${row.title} (${name})\n\n${row.how}\n`);
	let rig = common;
	try {
		if (row.open) rig = await row.open();
		const measured = await measure(row, rig, values.quick ? 1 : row.counted);
		for (const [one, figures] of Object.entries(measured)) showFigures(one, figures);
		for (const [what, [value, bar]] of Object.entries(row.checks(measured))) {
			checks.push({ row: row.title, what, value, bar });
		}
	} catch (error) {
		// The others can be measured all the same.
		console.error(`${name} could not be measured:`, error);
		failed++;
	}
	if (rig !== common) await rig.close();
}
await common.close();

console.log(`\n${checksTable(checks)}`);
const isWhole = chosen.length === Object.keys(rows).length && failed === 0 && !values.quick;
if (isWhole) await writePage(checks, measuredAt);
if (failed > 0 || !checks.every(isMet)) process.exitCode = 1;
