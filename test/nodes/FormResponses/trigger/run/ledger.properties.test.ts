import type { Balance } from './world.fixture';
import { play } from './world.fixture';

/** 20 is what the bounds come from. */
const SEEDS = Number(process.env.LEDGER_SEEDS ?? 2);
const RESPONSES = 1_000;

jest.setTimeout(SEEDS * 60_000);

async function playAll(workers: number): Promise<Balance> {
	const total: Record<string, number> = {};
	for (let seed = 1; seed <= SEEDS; seed++) {
		for (const [name, count] of Object.entries(await play(seed, RESPONSES, workers))) {
			total[name] = (total[name] ?? 0) + count;
		}
	}
	return total as unknown as Balance;
}

/** Per 20,000 responses, as in the model that the ledger comes from; in two seeds there is one event more or less. */
const bound = (most: number) => (SEEDS < 20 ? Math.ceil((3 * most * SEEDS) / 20) : most);

test.each([
	{ workers: 0, twice: 1, edge: 355, same: 0 },
	{ workers: 1, twice: 0, edge: 138, same: 0 },
	{ workers: 2, twice: 35, edge: 322, same: 159 },
	{ workers: 4, twice: 35, edge: 330, same: 330 },
])(
	'1,000 responses through kills, pauses and lost queues, $workers workers: none is lost',
	async ({ workers, twice, edge, same }) => {
		const balance = await playAll(workers);
		console.log(workers, JSON.stringify(balance));
		expect(balance).toMatchObject({ responses: SEEDS * RESPONSES, lost: 0, cut: 0 });
		expect(balance.twice).toBeLessThanOrEqual(bound(twice));
		expect(balance.edge).toBeLessThanOrEqual(bound(edge));
		expect(balance.same + balance.failed).toBeLessThanOrEqual(bound(same));
	},
);
