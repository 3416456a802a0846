import type { IExecuteFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { tryToRecord } from '../../deduplication';
import { perNode } from '../state/identity';
import { timing } from '../timing';
import { isTriggerHere } from '../state/triggers';

/** How many marks the store keeps per node. */
const REMEMBERED = 2_000;
/** How many marks a process repeats: few enough that five processes do not displace each other's. */
const KEPT = 400;

interface Kept {
	until: number;
	repeatedAt: number;
}

/** Marks that a concurrent write of another process may erase. */
const memoryOf = perNode(() => ({ kept: new Map<string, Kept>(), asked: 0 }));

function dueMarks(kept: Map<string, Kept>, leastAgeMs: number): string[] {
	const now = performance.now();
	for (const [mark, { until }] of kept) {
		if (until > now && kept.size <= KEPT) break;
		kept.delete(mark);
	}
	const due = [...kept].filter(([, { repeatedAt }]) => repeatedAt <= now - leastAgeMs);
	due.forEach(([, one]) => (one.repeatedAt = now));
	return due.map(([mark]) => mark);
}

/** Asks the store, and makes kept marks again along with `marks`. */
type Make = (
	marks: string[],
	leastAgeMs?: number,
	patienceMs?: number,
) => Promise<Set<string> | undefined>;

function makeIn(context: IExecuteFunctions, node: string): Make {
	const { kept } = memoryOf(node);
	return async (marks, leastAgeMs = 0, patienceMs = 0) => {
		const all = new Set([...marks, ...dueMarks(kept, leastAgeMs)]);
		const missing = await tryToRecord(context, [...all], REMEMBERED, patienceMs);
		if (missing && isTriggerHere(node)) all.forEach((mark) => kept.delete(mark));
		return missing;
	};
}

/** A later call repeats the marks itself. */
async function repeat(make: Make, isNeeded: () => boolean) {
	for (const ms of timing.marksAgainMs) {
		// Up to a fifth sooner or later, so that two processes do not ask at the same time.
		await sleep(ms * (0.8 + 0.4 * Math.random()));
		if (!isNeeded()) return;
		await make([]);
	}
}

/** Repeats these marks for a minute, unless no other process can erase them. */
export function keep(node: string, marks: string[]): void {
	const { kept } = memoryOf(node);
	const now = performance.now();
	for (const mark of marks) {
		kept.delete(mark);
		kept.set(mark, { until: now + timing.marksKeptMs, repeatedAt: now });
	}
}

/**
 * Makes marks.
 *
 * @param patienceMs how long to wait for other calls to merge with
 * @returns those that were missing, kept ones among them; undefined if the store fails
 */
export async function ask(
	context: IExecuteFunctions,
	node: string,
	marks: string[],
	patienceMs = 0,
): Promise<Set<string> | undefined> {
	const memory = memoryOf(node);
	const make = makeIn(context, node);
	const asked = ++memory.asked;
	const missing = await make(marks, timing.repeatedMs, patienceMs);
	const isNeeded = () => asked === memory.asked && memory.kept.size > 0;
	if (asked === memory.asked) void repeat(make, isNeeded);
	return missing;
}
