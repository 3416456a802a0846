import type { IExecuteFunctions, IRun } from 'n8n-workflow';
import { timing } from '../../../../../../../nodes/FormResponses/trigger/timing';
import type { Run } from './history';
import { nodeContext } from './nodeContext';
import type { Process } from './process';
import { SECOND } from './schedule';
import type { World } from './world';

/** What n8n gives the node for one run, and what the node leaves there. */
function contextOf(process: Process, run: Run, isCanceled: () => boolean, { store }: World) {
	const atEnd: Array<() => Promise<unknown>> = [];
	const metadata: Record<string, string> = {};
	const customData = { set: (name: string, value: string) => (metadata[name] = value) };
	const context = {
		...nodeContext,
		getMode: () => 'webhook',
		getInputData: () => run.items,
		getExecuteData: () => ({ node: nodeContext.getNode() }),
		getExecutionCancelSignal: () => ({ aborted: isCanceled() }),
		getWorkflowDataProxy: () => ({ $execution: { customData } }),
		onExecutionFinish: (tell: () => Promise<unknown>) => atEnd.push(tell),
		continueOnFail: () => false,
		helpers: store(process),
	};
	return { context: context as unknown as IExecuteFunctions, atEnd, metadata };
}

function tellEnd(run: Run, metadata: object, isTimedOut: boolean, { schedule, isOne }: World) {
	const data = { resultData: { runData: {}, metadata } };
	const success = { status: 'success', data } as IRun;
	if (!isTimedOut) schedule.at(schedule.now + 10, () => run.tell?.(success));
	// As seen in n8n 2.41: a time limit on a worker is never told to main.
	else if (isOne) run.tell?.(new Error('The execution was cancelled because it timed out'));
}

/** n8n's part of a run; the package's part is the trigger node's `execute`. */
export async function execute(process: Process, run: Run, world: World): Promise<void> {
	const { schedule, luck } = world;
	process.running.add(run);
	process.ran.push(run);
	const cancelAt = luck.chance(0.02) ? schedule.now + luck.between(0, 2 * SECOND) : Infinity;
	const isCanceled = () => schedule.now >= cancelAt;
	const { context, atEnd, metadata } = contextOf(process, run, isCanceled, world);
	const [items] = await process.code.execute(context, process.memory);
	const wasCanceled = isCanceled();
	const isUnasked = process.failedAt === schedule.now;
	for (const item of items) world.form.of(item).outputs.push({ at: schedule.now, run, isUnasked });
	process.after(timing.shortRunMs, () => (run.countsAsEndedAt = schedule.now));
	const longestMs = Math.max(1, cancelAt - schedule.now);
	const lastsMs = items.length === 0 ? 5 : Math.min(50 * 1_200 ** luck.random(), longestMs);
	process.after(lastsMs, () => {
		atEnd.forEach((tell) => void tell());
		run.endedAt = schedule.now;
		process.running.delete(run);
		world.queue.take();
		tellEnd(run, metadata, wasCanceled || lastsMs === longestMs, world);
	});
}

/** The process of the run was killed. As seen in n8n 2.41, main hears of it 113 seconds later. */
export function tellKilled(run: Run, { schedule, luck, isOne }: World) {
	run.killedAt = schedule.now;
	const outcome = { status: 'error', data: {} } as IRun;
	const tell = () => run.tell?.(outcome);
	if (!isOne) schedule.at(schedule.now + luck.between(60, 120) * SECOND, tell);
}
