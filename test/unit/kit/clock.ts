import type * as N8nWorkflow from 'n8n-workflow';
import { requestsUnderWay } from './requests';
import { nextTurn } from './turn';

const { sleep: realTime } = jest.requireActual<typeof N8nWorkflow>('n8n-workflow');

interface Sleeper {
	at: number;
	wake: () => void;
	/** Of the test itself. */
	isPass: boolean;
}

export interface Clock {
	/** How long each wait was to last, in the order in which the waits began. */
	readonly waits: number[];
	now(): number;
	/** Milliseconds since the clock was started. */
	elapsed(): number;
	/** Lets time pass, with everything that falls due meanwhile. */
	pass(ms: number): Promise<void>;
	/** Sets the clock of the machine, as an administrator does: no time passes. */
	step(ms: number): void;
	/** Ends all waits for good, as when n8n is killed. */
	kill(): void;
}

const MOST_TURNS = 100;

const START = Date.parse('2026-03-01T12:00:00Z');
/** What `performance.now` gives then. */
const SINCE_ORIGIN = 3_600_000;

let now = SINCE_ORIGIN;
let steppedBy = 0;
let waits: number[] = [];
let sleepers: Sleeper[] = [];
let isRunning = false;
let isStanding = false;
/** Whether the test is over, so that nothing of it may go on: files share Node's `http`. */
let isOver = false;
let earlyMs = 0;

const time = () => START - SINCE_ORIGIN + now;

/** Turns for what was woken to send its requests and to get its answers. */
async function settle() {
	do await nextTurn();
	while (requestsUnderWay() > 0);
}

/** Wakes one sleeper after the other, and lets all come of it before the next one. */
async function run() {
	isRunning = true;
	while (sleepers.length > 0) {
		await settle();
		if (isStanding && !sleepers.some(({ isPass }) => isPass)) break;
		sleepers.sort((a, b) => a.at - b.at);
		const next = sleepers.shift();
		if (next) {
			now = Math.max(now, next.at);
			next.wake();
		}
	}
	isRunning = false;
}

async function sleepUntil(at: number, isPass: boolean) {
	await new Promise<void>((wake) => {
		if (isOver) return;
		sleepers.push({ at, wake, isPass });
		if (!isRunning) void run();
	});
}

/** What stands in for n8n's `sleep`. */
export async function sleepOnClock(ms: number): Promise<void> {
	waits.push(ms);
	await sleepUntil(now + Math.max(0, ms - earlyMs), false);
}

/**
 * Starts a clock for one test: `Date.now`, `performance.now` and n8n's `sleep` go by it, and a wait takes no time.
 *
 * @param standing for a clock that only `pass` moves on
 * @param early how many milliseconds before its time a wait ends, as timers do that count whole ones
 */
export function startClock({ standing = false, early = 0 } = {}): Clock {
	isStanding = standing;
	earlyMs = early;
	now = SINCE_ORIGIN;
	waits = [];
	sleepers = [];
	steppedBy = 0;
	jest.spyOn(Date, 'now').mockImplementation(() => time() + steppedBy);
	jest.spyOn(performance, 'now').mockImplementation(() => now);
	return {
		get waits() {
			return waits;
		},
		now: time,
		elapsed: () => now - SINCE_ORIGIN,
		async pass(ms) {
			await sleepUntil(now + ms, true);
			await settle();
		},
		step: (ms) => void (steppedBy += ms),
		kill() {
			sleepers = [];
		},
	};
}

beforeEach(() => void (isOver = false));

afterEach(async () => {
	isOver = true;
	sleepers = [];
	// What has been sent is answered, and then sleeps for good; a request may hang.
	for (let turns = 0; turns < MOST_TURNS && requestsUnderWay() > 0; turns++) await nextTurn();
});

/** Tries again, in real time, until what happens in the background has happened. */
export async function eventually(check: () => void, tries = 500): Promise<void> {
	for (let left = tries; left > 0; left--) {
		try {
			check();
			return;
		} catch {
			await realTime(2);
		}
	}
	check();
}

/** Limits of time, as `AbortSignal.timeout` sets them, that end only when they are told to. */
export function heldLimits() {
	const limits: Array<{ ms: number; end: () => void }> = [];
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		const limit = new AbortController();
		limits.push({ ms, end: () => limit.abort() });
		return limit.signal;
	});
	return limits;
}

/** Limits of time that go by the clock. */
export function limitsOnClock(): void {
	jest.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => {
		const limit = new AbortController();
		void sleepOnClock(ms).then(() => limit.abort());
		return limit.signal;
	});
}
