import * as n8n from 'n8n-workflow';
import { requestsUnderWay } from './jest/network';
import { nextTurn, realTime } from './turn';

export type Clock = ReturnType<typeof startClock>;

const START = Date.parse('2026-03-01T12:00:00Z');
/** What `performance.now` gives then. */
const SINCE_ORIGIN = 3_600_000;
/** Node ends a longer timer at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

const { sleep: wait } = jest.requireActual<typeof n8n>('n8n-workflow');

let isStanding = false;
let isRunning = false;
/** Calls of `pass` that are not over. */
let passes = 0;

/** Lets everything that is awake send its requests and get its answers. */
async function settle(turns = Infinity) {
	do await nextTurn();
	while (requestsUnderWay() > 0 && --turns > 0);
}

/** Ends one wait after the other. Jest's own functions for this do not wait for answers in between. */
async function run() {
	if (isRunning) return;
	isRunning = true;
	await settle();
	while (isStanding ? passes > 0 : jest.getTimerCount() > 0) {
		jest.advanceTimersToNextTimer();
		await settle();
	}
	isRunning = false;
}

/**
 * Starts a clock for one test: `Date`, `performance.now` and n8n's `sleep` go by it, and a wait takes no time.
 *
 * @param standing for a clock that only `pass` moves on
 * @param early how many milliseconds too early a wait ends; Node's timers cut off fractions
 */
export function startClock({ standing = false, early = 0 } = {}) {
	const doNotFake = ['nextTick', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const;
	jest.useFakeTimers({ now: START - SINCE_ORIGIN, doNotFake: [...doNotFake] });
	jest.advanceTimersByTime(SINCE_ORIGIN);
	[isStanding, passes] = [standing, 0];
	const waits: number[] = [];
	jest.spyOn(n8n, 'sleep').mockImplementation(async (ms) => {
		waits.push(ms);
		if (!isStanding) void run();
		await wait(Math.ceil(ms - early));
	});
	return {
		/** How long each wait was to last, in the order in which the waits began. */
		waits,
		/** The time, as long as nobody sets the clock. */
		now: () => START - SINCE_ORIGIN + performance.now(),
		/** Milliseconds since the clock was started. */
		elapsed: () => performance.now() - SINCE_ORIGIN,
		/** Lets time pass, with everything that falls due meanwhile. */
		async pass(ms: number) {
			passes++;
			void run();
			for (let left = ms; left >= 0; left -= LONGEST_TIMER) {
				await wait(Math.min(left, LONGEST_TIMER));
			}
			passes--;
			await settle();
		},
		/** Sets the clock of the machine, as an administrator does: no time passes. */
		step: (ms: number) => jest.setSystemTime(Date.now() + ms),
		/** Ends all waits for good, as when n8n is killed. */
		kill() {
			const since = performance.now();
			jest.clearAllTimers();
			// That sets Jest's clock back to its start.
			jest.advanceTimersByTime(since);
		},
	};
}

beforeEach(() => void jest.useRealTimers());

// Test files share Node's `http`: what was sent is answered, and its sender then sleeps for good. A request may hang.
afterEach(async () => {
	[isStanding, passes] = [true, 0];
	await settle(100);
});

/** Tries again, in real time, until what happens in the background has happened. */
export async function eventually(check: () => void, tries = 500): Promise<void> {
	for (let left = tries; left > 0; left--) {
		try {
			return check();
		} catch {
			await realTime(2);
		}
	}
	check();
}

/** Lets limits of time, as `AbortSignal.timeout` sets them, go by something else than Node's clock. */
function replaceLimits(begin: (ms: number, end: () => void) => void) {
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		const limit = new AbortController();
		begin(ms, () => limit.abort());
		return limit.signal;
	});
}

/** Limits of time that go by the clock. */
export const limitsOnClock = () => replaceLimits((ms, end) => void n8n.sleep(ms).then(end));

/** Limits of time that end only when they are told to. */
export function heldLimits() {
	const limits: Array<{ ms: number; end: () => void }> = [];
	replaceLimits((ms, end) => limits.push({ ms, end }));
	return limits;
}
