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
/** For which part of its age a mark is not repeated: n8n's store hashes every mark of a call. */
const RESTS = 1 / 8;

interface Kept {
	madeAt: number;
	repeatedAt: number;
}

/** Marks that a concurrent write of another process may erase. */
const memoryOf = perNode(() => ({ kept: new Map<string, Kept>(), asked: 0 }));

function dueMarks(kept: Map<string, Kept>): string[] {
	const now = performance.now();
	for (const [mark, { madeAt }] of kept) {
		if (madeAt > now - timing.marksKeptMs && kept.size <= KEPT) break;
		kept.delete(mark);
	}
	const due = [...kept].filter(([, one]) => now - one.repeatedAt > RESTS * (now - one.madeAt));
	due.forEach(([, one]) => (one.repeatedAt = now));
	return due.map(([mark]) => mark);
}

/** Repeats these marks for a minute, unless no other process can erase them. */
export function keep(node: string, marks: string[]): void {
	const { kept } = memoryOf(node);
	const now = performance.now();
	for (const mark of marks) {
		kept.delete(mark);
		kept.set(mark, { madeAt: now, repeatedAt: now });
	}
}

/** Asks the store, and makes kept marks again along with `marks`. */
async function make(context: IExecuteFunctions, node: string, marks: string[], patienceMs: number) {
	const { kept } = memoryOf(node);
	const all = new Set([...marks, ...dueMarks(kept)]);
	const missing = await tryToRecord(context, [...all], REMEMBERED, patienceMs);
	if (missing && isTriggerHere(node)) all.forEach((mark) => kept.delete(mark));
	return missing;
}

/** A later call repeats the marks itself. */
async function repeat(context: IExecuteFunctions, node: string) {
	const memory = memoryOf(node);
	const { asked } = memory;
	for (const ms of timing.marksAgainMs) {
		// Up to a fifth sooner or later, so that two processes do not ask at the same time.
		await sleep(ms * (0.8 + 0.4 * Math.random()));
		if (asked !== memory.asked || memory.kept.size === 0) return;
		await make(context, node, [], 0);
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
	const asked = ++memory.asked;
	const missing = await make(context, node, marks, patienceMs);
	if (asked === memory.asked) void repeat(context, node);
	return missing;
}
