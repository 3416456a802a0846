import { timing } from '../timing';

/** Until the next spare, after so many that brought nothing. */
const untilNextMs = (vain: number) =>
	Math.min(timing.firstSpareMs * 2 ** (vain - 1), timing.longestSpareMs);

/** Whether the hooks bring anything, or only looks do. Times in milliseconds of one clock. */
export function createDoubt() {
	/** Since when only looks brought anything. */
	let since: number | undefined;
	let [vain, nextAt] = [0, -Infinity];
	return {
		raise: (now: number) => void (since ??= now),
		settle() {
			since = undefined;
			vain = 0;
		},
		/** Another test begins. @param isVain whether a spare was removed that brought nothing */
		changed(now: number, isVain: boolean) {
			since = undefined;
			if (isVain) nextAt = now + untilNextMs(++vain);
		},
		isRaised: () => since !== undefined,
		isSettledBy: (deliveredAt: number) => since !== undefined && deliveredAt > since,
		/** Whether to make a spare, or to remove the one that there is. */
		isDue: (now: number) => since !== undefined && now - since >= timing.doubtMs && now >= nextAt,
	};
}
