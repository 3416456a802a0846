import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for an effect that follows the reply, such as a delivery. */
export async function until<Value>(
	look: () => Value | Promise<Value>,
	isThere: (value: Value) => boolean,
	withinMs = 5000,
): Promise<Value> {
	const end = Date.now() + withinMs;
	for (;;) {
		const value = await look();
		if (isThere(value)) return value;
		if (Date.now() > end) throw new Error(`still ${JSON.stringify(value)} after ${withinMs} ms`);
		await sleep(5);
	}
}
