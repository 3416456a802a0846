import type { IExecuteFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { tryToPeek, tryToRecord } from '../../processedStore';
import type { KeptMark, Memory } from '../state/memory';
import { isTriggerHere } from '../state/memory';
import { timing } from '../timing';

/** How many marks the store keeps per node. */
const REMEMBERED = 2_000;
/** How many marks a process repeats: few enough that five processes do not displace each other's. */
const KEPT = 400;
/** A mark rests for this part of its age before it is repeated: n8n's store hashes every mark of a call. */
const RESTS = 1 / 8;

function dueMarks(kept: Map<string, KeptMark>): string[] {
	const now = performance.now();
	for (const [mark, { madeAt }] of kept) {
		if (madeAt > now - timing.marksKeptMs && kept.size <= KEPT) break;
		kept.delete(mark);
	}
	const due = [...kept].filter(([, one]) => now - one.repeatedAt > RESTS * (now - one.madeAt));
	due.forEach(([, one]) => (one.repeatedAt = now));
	return due.map(([mark]) => mark);
}

/**
 * Repeats these marks for a minute, unless no other process can erase them: n8n's store reads, changes and writes a row
 * without a lock (n8n, deduplication-helper.ts).
 */
export function keep(memory: Memory, marks: string[]): void {
	const { kept } = memory.marks;
	const now = performance.now();
	for (const mark of marks) {
		kept.delete(mark);
		kept.set(mark, { madeAt: now, repeatedAt: now });
	}
}

/** Asks the store, and makes kept marks again along with `marks`. */
async function make(
	context: IExecuteFunctions,
	memory: Memory,
	marks: string[],
	patienceMs: number,
) {
	const { kept } = memory.marks;
	const all = new Set([...marks, ...dueMarks(kept)]);
	const missing = await tryToRecord(context, [...all], REMEMBERED, patienceMs);
	if (missing && isTriggerHere(memory)) all.forEach((mark) => kept.delete(mark));
	return missing;
}

/** A later call repeats the marks itself. */
async function repeat(context: IExecuteFunctions, memory: Memory) {
	const { marks } = memory;
	const { asked } = marks;
	for (const ms of timing.marksAgainMs) {
		// Up to a fifth sooner or later, so that two processes do not ask at the same time.
		await sleep(ms * (0.8 + 0.4 * Math.random()));
		if (asked !== marks.asked || marks.kept.size === 0) return;
		await make(context, memory, [], 0);
	}
}

/** Leaves the store as it was. @returns the marks that are missing; undefined if the store fails */
export const peek = async (context: IExecuteFunctions, marks: string[]) =>
	await tryToPeek(context, marks, REMEMBERED);

/**
 * Makes marks.
 *
 * @param patienceMs how long to wait for other calls to merge with
 * @returns those that were missing, kept ones among them; undefined if the store fails
 */
export async function ask(
	context: IExecuteFunctions,
	memory: Memory,
	marks: string[],
	patienceMs = 0,
): Promise<Set<string> | undefined> {
	const asked = ++memory.marks.asked;
	const missing = await make(context, memory, marks, patienceMs);
	if (asked === memory.marks.asked) void repeat(context, memory);
	return missing;
}
