import type { Balance } from './world.fixture';
import { play } from './world.fixture';

const SEEDS = Number(process.env.LEDGER_SEEDS ?? 3);
const RESPONSES = 1_000;

jest.setTimeout(600_000);

async function sum(workers: number) {
	const total: Record<string, number> = {};
	for (let seed = 1; seed <= SEEDS; seed++) {
		const balance = await play(seed, RESPONSES, workers);
		for (const name of Object.keys(balance) as Array<keyof Balance>) {
			total[name] = (total[name] ?? 0) + balance[name];
		}
	}
	return total as unknown as Balance;
}

test.each([0, 1, 2, 4])('x %i', async (workers) => {
	const started = process.hrtime.bigint();
	const total = await sum(workers);
	console.log(workers, JSON.stringify(total), Number((process.hrtime.bigint() - started) / 1_000_000n));
	expect(total.lost).toBe(0);
});
