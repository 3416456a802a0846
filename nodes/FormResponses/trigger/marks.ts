import type { IExecuteFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { tryToRecord } from '../deduplication';
import { perNode } from './identity';
import { timing } from './timing';

/** How many marks the store keeps per node. */
const REMEMBERED = 2_000;
/** How many marks a process repeats: few enough that five processes do not displace each other's. */
const KEPT = 400;
/** Maximum number of checks before n8n may end the run. */
const CHECKS = 5;

/** Up to a fifth longer, so that two processes do not ask at the same time. */
export const sleepAbout = async (ms: number): Promise<void> =>
	await sleep(ms * (1 + 0.2 * Math.random()));

interface Mark {
	madeAt: number;
	/** When it was last missing from the store. */
	writtenAt: number;
}

interface Memory {
	/** Marks that a concurrent write of another process may have erased. */
	kept: Map<string, Mark>;
	/** Whether another process ever erased one. */
	isShared: boolean;
	calls: number;
	/** When a call last included all kept marks and found them. */
	wentAlongAt: number;
}

const memoryOf = perNode(
	(): Memory => ({ kept: new Map(), isShared: false, calls: 0, wentAlongAt: -Infinity }),
);

function keptMarks({ kept }: Memory): string[] {
	const oldest = Date.now() - timing.marksKeptMs;
	for (const [one, { madeAt }] of kept) {
		if (madeAt >= oldest && kept.size <= KEPT) break;
		kept.delete(one);
	}
	return [...kept.keys()];
}

/** The kept marks to include in a call: recent ones, and all from time to time. */
function dueMarks(memory: Memory): string[] {
	const marks = keptMarks(memory);
	const lately = Date.now() - timing.keptAgainMs;
	if (memory.wentAlongAt > lately) {
		return marks.filter((one) => memory.kept.get(one)!.writtenAt > lately);
	}
	memory.wentAlongAt = Date.now();
	return marks;
}

/** Forgets safe marks: still there after every write that could have erased them. */
function settle({ kept }: Memory, marks: string[], missing: Set<string>) {
	const now = Date.now();
	for (const one of marks) {
		const known = kept.get(one);
		if (known === undefined) continue;
		if (missing.has(one)) known.writtenAt = now;
		else if (known.writtenAt <= now - timing.erasableMs) kept.delete(one);
	}
}

/** @returns the missing marks; undefined if the store fails */
async function make(context: IExecuteFunctions, marks: string[], patienceMs = 0) {
	const missing = await tryToRecord(context, marks, REMEMBERED, patienceMs);
	if (missing) settle(memoryOf(context), marks, missing);
	return missing;
}

async function makeAgain(context: IExecuteFunctions) {
	const memory = memoryOf(context);
	const { calls } = memory;
	let waits = timing.marksAgainMs;
	while (waits.length > 0) {
		await sleep(waits[0] * (0.6 + 0.8 * Math.random()));
		const marks = keptMarks(memory);
		// A later call repeats the marks itself.
		if (memory.calls !== calls || marks.length === 0) return;
		const missing = await make(context, marks);
		if (missing && missing.size > 0) memory.isShared = true;
		// Starts over while other processes erase marks.
		waits = missing?.size === 0 ? waits.slice(1) : timing.marksAgainMs;
	}
}

/**
 * Makes marks, and repeats kept ones that another process may have erased.
 *
 * @param patienceMs how long to wait for other calls to merge with
 * @returns which of `marks` were missing; undefined if the store fails
 */
export async function mark(
	context: IExecuteFunctions,
	marks: string[],
	patienceMs = 0,
): Promise<Set<string> | undefined> {
	const memory = memoryOf(context);
	const kept = dueMarks(memory);
	const now = Date.now();
	for (const one of marks) {
		const { writtenAt = now } = memory.kept.get(one) ?? {};
		memory.kept.delete(one);
		memory.kept.set(one, { madeAt: now, writtenAt });
	}
	memory.calls++;
	const missing = await make(context, [...new Set([...marks, ...kept])], patienceMs);
	const wereErased = missing !== undefined && kept.some((one) => missing.has(one));
	if (wereErased) memory.isShared = true;
	if (wereErased || !missing) memory.wentAlongAt = -Infinity;
	void makeAgain(context);
	return missing && new Set(marks.filter((one) => missing.has(one)));
}

/**
 * Makes marks until every process that had read the store before has written it and the marks are still there.
 * Does not wait unless another process was ever seen to erase one.
 */
export async function markDurably(context: IExecuteFunctions, marks: string[]): Promise<void> {
	const memory = memoryOf(context);
	const isErasable = (one: string) =>
		(memory.kept.get(one)?.writtenAt ?? 0) > Date.now() - timing.writeMs;
	await mark(context, marks, timing.patienceMs);
	for (let check = 1; check <= CHECKS && memory.isShared && marks.some(isErasable); check++) {
		await sleepAbout(timing.writeMs);
		await mark(context, marks, timing.patienceMs);
	}
}
