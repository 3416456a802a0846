import { sleep } from 'n8n-workflow';
import { emptyMemory } from '../../../../../../nodes/FormResponses/trigger/state/memory';
import type { TriggerState } from '../../../../../../nodes/FormResponses/trigger/state/triggerState';
import { plan, take } from '../../../../../../nodes/FormResponses/trigger/subscribe/plannedRemoval';
import { startClock } from '../../../../kit/clock';

test.each([
	['as long again', 0, 19],
	['longer where the database of n8n is slow', 1_000, 9 + 10 + 20],
])('a removal that is planned again waits %s', async (_, askMs, seconds) => {
	const clock = startClock({ standing: true });
	const removedAt: number[] = [];
	const memory = emptyMemory();
	const begin = async () => void removedAt.push(clock.elapsed() / 1_000);
	const askN8n = async () => await sleep(askMs);
	plan(memory, { hook: {} as TriggerState, askN8n, begin });
	await clock.pass(9_000);
	plan(memory, take(memory)!);
	await clock.pass(60_000);
	expect(removedAt).toEqual([seconds]);
});
