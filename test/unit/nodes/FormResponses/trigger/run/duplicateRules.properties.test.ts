import { seeds } from './seeds';
import { play, type Balance } from './world.fixture';

const RESPONSES = 1_000;

jest.setTimeout(seeds * 60_000);

async function playAll(workers: number, limit: number): Promise<Balance> {
	const total: Record<string, number> = {};
	for (let seed = 1; seed <= seeds; seed++) {
		for (const [name, count] of Object.entries(await play(seed, RESPONSES, workers, limit))) {
			total[name] = (total[name] ?? 0) + count;
		}
	}
	return total as unknown as Balance;
}

const twice: number[] = [];

/** What goes wrong once concerns up to 25 responses, the more or fewer in so few seeds. */
const bound = (most: number) => Math.ceil((most * seeds) / 20) + 25;

/** Of 20 seeds, half as many again as on average of 160. */
test.each([
	{ workers: 0, limit: Infinity, edge: 563, same: 6 },
	{ workers: 0, limit: 5, edge: 563, same: 6 },
	{ workers: 1, limit: 10, edge: 158, same: 5 },
	{ workers: 2, limit: 10, edge: 278, same: 205 },
	{ workers: 4, limit: 10, edge: 336, same: 438 },
])(
	'through kills, pauses and lost queues, none of 1,000 responses is lost: $workers workers, $limit runs at a time',
	async ({ workers, limit, edge, same }) => {
		const balance = await playAll(workers, limit);
		expect(balance).toMatchObject({ responses: seeds * RESPONSES, lost: 0, cut: 0 });
		expect(balance.edge).toBeLessThanOrEqual(bound(edge));
		expect(balance.same + balance.failed).toBeLessThanOrEqual(bound(same));
		twice.push(balance.twice);
	},
);

test('hardly any of them run twice for no such reason', () => {
	expect(twice).toHaveLength(5);
	const all = twice.reduce((sum, one) => sum + one, 0);
	// Of five worlds, so that it may go wrong three times.
	expect(all).toBeLessThanOrEqual(bound(192) + 2 * 25);
});
