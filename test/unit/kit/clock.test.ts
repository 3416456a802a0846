import { sleep } from 'n8n-workflow';
import { startClock } from './clock';
import { nextTurn } from './turn';

let rounds = 0;

test('a loop goes on for as long as its test', async () => {
	startClock();
	void (async () => {
		for (;;) {
			await sleep(1_000);
			rounds++;
		}
	})();
	await sleep(3_000);
	expect(rounds).toBeGreaterThan(0);
});

test('and not in the next one', async () => {
	const before = rounds;
	for (let turns = 0; turns < 5; turns++) await nextTurn();
	expect(rounds).toBe(before);
});
