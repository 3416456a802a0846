import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until the check passes; throws its last error when the time is up. */
export async function eventually<Result>(
	check: () => Promise<Result>,
	withinMs = 20_000,
	everyMs = 250,
): Promise<Result> {
	const deadline = Date.now() + withinMs;
	for (;;) {
		try {
			return await check();
		} catch (error) {
			if (Date.now() > deadline) throw error;
		}
		await sleep(everyMs);
	}
}
