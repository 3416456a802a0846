import { sleep } from 'n8n-workflow';
import type { Memory, Removal } from '../state/memory';
import { timing } from '../timing';

/** A publication asks n8n's database about as often between `delete` and `create`, and a busy one answers slowly. */
const ANSWERS = 20;

async function wait(memory: Memory, removal: Removal): Promise<void> {
	for (let count = 0; count < ANSWERS && memory.removal === removal; count++) {
		await sleep(timing.callOffMs / ANSWERS);
		await removal.askN8n();
	}
}

/** n8n's hook methods cannot tell an update from an unpublication, and an update keeps its hook. */
export function plan(memory: Memory, removal: Removal): void {
	void memory.removal?.begin();
	// What is planned again waits as long again.
	const planned = { ...removal };
	memory.removal = planned;
	void wait(memory, planned).then(async () => await take(memory, planned)?.begin());
}

/** Calls a planned removal off. @returns undefined if there is none, or it has begun */
export function take(memory: Memory, removal = memory.removal): Removal | undefined {
	if (memory.removal !== removal) return undefined;
	memory.removal = undefined;
	return removal;
}
