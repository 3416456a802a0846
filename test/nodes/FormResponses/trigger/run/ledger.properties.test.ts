import { seeds } from './seeds';
import type { Balance } from './world.fixture';
import { play } from './world.fixture';

const RESPONSES = 1_000;

jest.setTimeout(seeds * 60_000);

async function playAll(workers: number): Promise<Balance> {
	const total: Record<string, number> = {};
	for (let seed = 1; seed <= seeds; seed++) {
		for (const [name, count] of Object.entries(await play(seed, RESPONSES, workers))) {
			total[name] = (total[name] ?? 0) + count;
		}
	}
	return total as unknown as Balance;
}

const twice: number[] = [];

/** Of 20 seeds; in fewer, one event more or less weighs more, which concerns up to 25 responses. */
const bound = (most: number) => (seeds < 20 ? Math.ceil((most * seeds) / 20) + 25 : most);

/** `edge` and `same` come in bursts of 25, so they may be half as many again as in the model of this ledger. */
test.each([
	{ workers: 0, edge: 532, same: 1 },
	{ workers: 1, edge: 207, same: 3 },
	{ workers: 2, edge: 430, same: 239 },
	{ workers: 4, edge: 430, same: 474 },
])(
	'through kills, pauses and lost queues, none of 1,000 responses is lost: $workers workers',
	async ({ workers, edge, same }) => {
		const balance = await playAll(workers);
		expect(balance).toMatchObject({ responses: seeds * RESPONSES, lost: 0, cut: 0 });
		expect(balance.edge).toBeLessThanOrEqual(bound(edge));
		expect(balance.same + balance.failed).toBeLessThanOrEqual(bound(same));
		twice.push(balance.twice);
	},
);

test('no more of them run twice for no such reason than in the model', () => {
	expect(twice).toHaveLength(4);
	expect(twice.reduce((sum, one) => sum + one, 0)).toBeLessThanOrEqual(bound(70));
});
