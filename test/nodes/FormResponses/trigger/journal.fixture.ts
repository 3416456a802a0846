import type { IExecuteFunctions } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import type * as Journal from '../../../../nodes/FormResponses/trigger/journal';
import type { Clock } from '../../../clock';
import { inRun } from '../../../in-process/probe';
import { inNewProcess } from '../../../in-process/process';

/** A run of responses that are known by one letter each. */
export interface Run {
	delivered?: string[];
	recovered?: string[];
	/** How long the rest of the workflow takes; without end, n8n does not tell it. */
	lastsMs?: number;
	isOldN8n?: boolean;
	/** Stops the run after this long, as a person does. */
	stoppedAfterMs?: number;
	/** What it leaves to another run is not asked for again. */
	isAskedOnce?: boolean;
	/** Called once n8n was let go on at the end. */
	onEnd?: () => void;
}

export interface Process {
	journal: typeof Journal;
	/** Also runs what a run leaves to another one. @returns the keys that run */
	run(run: Run): Promise<string[]>;
	/** Like `run`, of responses that a person retries. */
	retry(keys: string[]): Promise<void>;
}

/** A process of n8n with a journal of its own; all have the store in common. */
export function aProcess(): Process {
	const path = '../../../../nodes/FormResponses/trigger/journal';
	const journal = inNewProcess(() => jest.requireActual<typeof Journal>(path));

	function mayStop(context: IExecuteFunctions, { stoppedAfterMs }: Run) {
		if (stoppedAfterMs === undefined) return;
		const stop = new AbortController();
		void sleep(stoppedAfterMs).then(() => stop.abort());
		Object.assign(context, { getExecutionCancelSignal: () => stop.signal });
	}

	function endOf(context: IExecuteFunctions, { lastsMs = 0, isOldN8n, onEnd }: Run) {
		const atEnd: Array<() => Promise<unknown>> = [];
		const onExecutionFinish = (tell: () => Promise<unknown>) => atEnd.push(tell);
		Object.assign(context, { onExecutionFinish: isOldN8n ? undefined : onExecutionFinish });
		return async () => {
			if (lastsMs > 0) await sleep(lastsMs);
			if (lastsMs < Infinity) atEnd.forEach((tell) => void tell().then(onEnd));
		};
	}

	const inMode = async <Result>(work: (context: IExecuteFunctions) => Promise<Result>) =>
		await inRun(work, { mode: 'webhook' });

	return {
		journal,
		run: async (run) => {
			const ran: string[] = [];
			let { delivered = [], recovered = [] } = run;
			while (delivered.length + recovered.length > 0) {
				const { fresh, undecided } = await inMode(async (context) => {
					const end = endOf(context, run);
					mayStop(context, run);
					const begun = await journal.startRun(context, delivered, recovered);
					if (begun.fresh.size > 0 && run.lastsMs !== Infinity) void end();
					return begun;
				});
				ran.push(...fresh);
				[delivered, recovered] = [[], run.isAskedOnce ? [] : [...undecided]];
			}
			return ran;
		},
		retry: async (keys) =>
			await inMode(async (context) => {
				const end = endOf(context, {});
				await journal.recordRun(context, keys);
				void end();
			}),
	};
}

/** Moves a standing clock on until the work is done, in steps that are small beside its waits. */
export async function whileTimePasses<Result>(
	clock: Clock,
	work: Promise<Result>,
): Promise<Result> {
	let isOver = false;
	const end = () => (isOver = true);
	work.then(end, end);
	while (!isOver) await clock.pass(100);
	return await work;
}
