import { setTimeout as sleep } from 'node:timers/promises';
import type { Rig } from '../../test/n8n/kit/real-n8n.mts';
import type { Measured, Row } from './row.mts';

/** Long enough for n8n to end what the run before has left to do. */
const REST_MS = 200;

/**
 * Runs every contestant once to warm up, and then in turn (A B, B A, A B …), so that what changes on the
 * machine meanwhile meets all of them alike.
 */
export async function measure(row: Row, rig: Rig, counted: number): Promise<Measured> {
	const runs = await row.runs({ ...rig, ...(await rig.openService()) });
	const names = Object.keys(runs);
	const measured: Measured = Object.fromEntries(names.map((name) => [name, {}]));

	async function run(name: string, round: number) {
		const figures = await runs[name]();
		console.log(`  ${round === 0 ? 'warm-up' : `${round}/${counted}`} ${name}:`, figures);
		if (round === 0) return;
		for (const [what, value] of Object.entries(figures)) (measured[name][what] ??= []).push(value);
	}

	for (let round = 0; round <= counted; round++) {
		if (row.together) {
			await Promise.all(names.map((name) => run(name, round)));
			continue;
		}
		for (const name of round % 2 === 0 ? names : names.toReversed()) {
			await sleep(REST_MS);
			await run(name, round);
		}
	}
	return measured;
}
