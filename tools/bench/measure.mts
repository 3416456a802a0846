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
	const measured: Measured = {};
	const contestants = Object.entries(runs).map(([name, run]) => async (round: number) => {
		const figures = await run();
		console.log(`  ${round === 0 ? 'warm-up' : `${round}/${counted}`} ${name}:`, figures);
		if (round === 0) return;
		const before = (measured[name] ??= {});
		for (const [what, value] of Object.entries(figures)) (before[what] ??= []).push(value);
	});

	for (let round = 0; round <= counted; round++) {
		if (row.together) {
			await Promise.all(contestants.map((run) => run(round)));
			continue;
		}
		for (const run of round % 2 === 0 ? contestants : contestants.toReversed()) {
			await sleep(REST_MS);
			await run(round);
		}
	}
	return measured;
}
