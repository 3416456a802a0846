import { timing } from '../timing';

/** Until the next spare, after so many that brought nothing. */
const untilNextMs = (vain: number) =>
	Math.min(timing.firstSpareMs * 2 ** (vain - 1), timing.longestSpareMs);

/** Whether the hooks bring anything, or only looks do. Times in monotonic milliseconds. */
export function createDoubt() {
	/** Since when only looks brought anything. */
	let since = Infinity;
	/** Whether hooks brought anything since the latest change of them. */
	let isProven = false;
	let [vain, nextAt] = [0, -Infinity];
	return {
		raise: (now: number) => void (since = Math.min(since, now)),
		settle() {
			since = Infinity;
			vain = 0;
			isProven = true;
		},
		/** Another test begins; where a spare went that had brought something, another spare comes first. */
		changed(now: number, isRemoved: boolean) {
			if (!isRemoved || !isProven) since = Infinity;
			if (isRemoved && !isProven) nextAt = now + untilNextMs(++vain);
			isProven = false;
		},
		isSettledBy: (deliveredAt: number) => deliveredAt > since,
		/** Whether to make a spare, or to remove the one that there is. */
		isDue: (now: number) => now - since >= timing.doubtMs && now >= nextAt,
	};
}
