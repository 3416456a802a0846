import { setTimeout as sleep } from 'node:timers/promises';

/** Lets what the run before left to be done, in n8n too, end first. */
const REST_MS = 200;

export type Runner = () => Promise<number>;

/**
 * Runs every contestant once to warm up, and then in turn (A B, B A, A B …), so that what changes on the
 * machine meanwhile meets all of them alike.
 *
 * @returns what each counted run gave, by contestant
 */
export async function interleave<Name extends string>(
	contestants: Record<Name, Runner>,
	{ runs, show }: { runs: number; show: (progress: string) => void },
): Promise<Record<Name, number[]>> {
	const names = Object.keys(contestants) as Name[];
	const results = Object.fromEntries(names.map((name) => [name, [] as number[]]));
	for (let round = 0; round <= runs; round++) {
		const label = round === 0 ? 'warm-up' : `${round}/${runs}`;
		for (const name of round % 2 === 0 ? names : names.toReversed()) {
			await sleep(REST_MS);
			const value = await contestants[name]();
			show(`${label} ${name}: ${Math.round(value)}`);
			if (round > 0) results[name].push(value);
		}
	}
	return results as Record<Name, number[]>;
}
