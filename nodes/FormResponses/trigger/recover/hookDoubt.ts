import { timing } from '../timing';

/** Until the next spare, after so many that brought nothing. */
const untilNextMs = (vain: number) =>
	Math.min(timing.firstSpareMs * 2 ** (vain - 1), timing.longestSpareMs);

/** Whether the hooks bring anything, or only looks do. Times in monotonic milliseconds. */
export function createDoubt() {
	/** Since when only looks brought anything. */
	let since: number | undefined;
	/** Whether hooks brought anything since the latest change of them. */
	let isProven = false;
	let [vain, nextAt] = [0, -Infinity];
	return {
		raise: (now: number) => void (since ??= now),
		settle() {
			since = undefined;
			vain = 0;
			isProven = true;
		},
		/** Another test begins; where a spare went that had brought something, another spare comes first. */
		changed(now: number, isRemoved: boolean) {
			if (!isRemoved || !isProven) since = undefined;
			if (isRemoved && !isProven) nextAt = now + untilNextMs(++vain);
			isProven = false;
		},
		isRaised: () => since !== undefined,
		isSettledBy: (deliveredAt: number) => since !== undefined && deliveredAt > since,
		/** Whether to make a spare, or to remove the one that there is. */
		isDue: (now: number) => since !== undefined && now - since >= timing.doubtMs && now >= nextAt,
	};
}
