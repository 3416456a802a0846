import { UnexpectedError } from 'n8n-workflow';
import type { Process } from './process';
import type { World } from './world';

/** How long a call of the store may take. */
export const LONGEST_CALL_MS = 1_500;

/** n8n's store of processed items: one row of the database, without a lock. */
export function aStore({ schedule, luck: { chance, between } }: World) {
	let row: string[] = [];

	/** Reads, takes its time, and writes: what others wrote meanwhile is gone. It may fail before or after writing. */
	async function write(process: Process, change: (before: string[]) => string[]) {
		const before = row;
		const isFailing = chance(0.01);
		const isWritten = !isFailing || chance(0.5);
		await process.sleep(chance(0.03) ? between(200, LONGEST_CALL_MS) : between(1, 50));
		if (isWritten) row = change(before);
		if (isFailing) {
			process.failedAt = schedule.now;
			throw new UnexpectedError('The connection was closed');
		}
	}

	/** The store as a run in this process calls it. */
	return (process: Process) => ({
		async checkProcessedAndRecord(marks: string[], _: string, { maxEntries = Infinity }) {
			let fresh: string[] = [];
			await write(process, (before) => {
				const known = new Set(before);
				fresh = marks.filter((mark) => !known.has(mark));
				return [...before, ...fresh].slice(-maxEntries);
			});
			return { new: fresh, processed: [] };
		},
		removeProcessed: async (marks: string[]) =>
			await write(process, (before) => before.filter((mark) => !marks.includes(mark))),
	});
}

export type Store = ReturnType<typeof aStore>;
