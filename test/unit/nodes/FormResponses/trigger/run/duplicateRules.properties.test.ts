import { play, type Fate } from './world';
import { seeds } from './world/seeds';

const RESPONSES = 1_000;

jest.setTimeout(seeds * 60_000);

/** In each deployment. */
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
	async ({ edge, same, ...deployment }) => {
		const fates: Fate[] = [];
		for (let seed = 1; seed <= seeds; seed++) {
			fates.push(...(await play(seed, RESPONSES, deployment)));
		}
		const count = (...of: Fate[]) => fates.filter((fate) => of.includes(fate)).length;
		expect([fates.length, count('lost'), count('cut')]).toEqual([seeds * RESPONSES, 0, 0]);
		expect(count('edge')).toBeLessThanOrEqual(bound(edge));
		expect(count('same', 'failed')).toBeLessThanOrEqual(bound(same));
		twice.push(count('twice'));
	},
);

test('hardly any response runs twice for no such reason', () => {
	expect(twice).toHaveLength(5);
	const all = twice.reduce((sum, one) => sum + one, 0);
	// It may go wrong in three of the five.
	expect(all).toBeLessThanOrEqual(bound(192) + 2 * 25);
});
