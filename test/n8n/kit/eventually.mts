import { setTimeout as sleep } from 'node:timers/promises';

/** Waits until the check passes; throws its last error when the time is up. Checks cost n8n time: the longer it takes, the rarer. */
export async function eventually<Result>(
	check: () => Promise<Result>,
	withinMs = 20_000,
	everyMs = 250,
): Promise<Result> {
	const begunAt = Date.now();
	for (;;) {
		try {
			return await check();
		} catch (error) {
			if (Date.now() > begunAt + withinMs) throw error;
		}
		await sleep(Math.max(everyMs, (Date.now() - begunAt) / 10));
	}
}
