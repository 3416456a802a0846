import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'flatted';
import type { Session } from './session.mts';
import type { Execution, ExecutionSummary, Item } from './types.mts';
import { isOlderThan } from './version.mts';

export interface ManualStart {
	/** Runs from this trigger; a webhook trigger then waits for a test event. */
	triggerToStartFrom?: string;
	/** Runs up to and including this node. */
	destinationNode?: string;
}

interface ExecutionQuery {
	workflowId: string;
	status?: string;
	/** Only executions newer than this one. */
	after?: string;
}

interface ExecutionPage {
	results: ExecutionSummary[];
	nextCursor?: string | null;
}

const PAGE = 100;

/** n8n sorts a page by the times of start but begins the next one below an ID, which passes over some that were started late. */
const OVERLAP = 50;

/** What asks for the next page: n8n 2.41 takes its cursor alone, earlier ones take an ID. */
function startAfter({ results, nextCursor }: ExecutionPage): Record<string, string> {
	const lastId = String(Number(results.at(-1)!.id) + OVERLAP);
	if (!nextCursor) return { lastId };
	const cursor = JSON.parse(Buffer.from(nextCursor, 'base64url').toString());
	cursor.v1.id = lastId;
	return { cursor: Buffer.from(JSON.stringify(cursor)).toString('base64url') };
}

const UNFINISHED = ['new', 'running', 'waiting', 'unknown'];

/** The items that a node gave on one output, in its first run unless another is asked for. */
export function nodeOutput({ data }: Execution, node: string, output = 0, run = 0): Item[] {
	return data.resultData.runData[node]?.[run]?.data?.main?.[output] ?? [];
}

export function executionCalls(session: Session) {
	/** Newest first, read in pages because n8n gives at most 100 at once. */
	async function executions({ workflowId, status, after = '0' }: ExecutionQuery) {
		const filter = JSON.stringify({ workflowId, status: status && [status] });
		const found = new Map<string, ExecutionSummary>();
		let start = {};
		for (;;) {
			const query = new URLSearchParams({ filter, limit: String(PAGE), ...start });
			const page: ExecutionPage = await session.get(`/executions?${query}`);
			const newer = page.results.filter(({ id }) => Number(id) > Number(after) && !found.has(id));
			for (const one of newer) found.set(one.id, one);
			const isLast = page.nextCursor === null || page.results.length < PAGE;
			if (newer.length === 0 || isLast) break;
			start = startAfter(page);
		}
		return [...found.values()].sort((one, other) => Number(other.id) - Number(one.id));
	}

	async function execution(id: string): Promise<Execution> {
		const found = await session.get<Execution & { data: string }>(`/executions/${id}`);
		return { ...found, data: parse(found.data) };
	}

	/** Waits until `count` executions have ended; gives them oldest first. */
	async function waitForExecutions(
		workflowId: string,
		{ count = 1, after = '0', timeoutMs = 20_000 } = {},
	): Promise<Execution[]> {
		const deadline = Date.now() + timeoutMs;
		for (;;) {
			const newer = await executions({ workflowId, after });
			const ended = newer.filter(({ status }) => !UNFINISHED.includes(status)).reverse();
			if (ended.length >= count) return await Promise.all(ended.map(({ id }) => execution(id)));
			if (Date.now() > deadline) {
				const seen = newer.map(({ id, status }) => `${id} ${status}`).join(', ');
				throw new Error(`Of ${count} executions of workflow ${workflowId} there are: ${seen}`);
			}
			await sleep(100);
		}
	}

	return {
		executions,
		execution,
		waitForExecutions,

		waitForExecution: async (...which: Parameters<typeof waitForExecutions>) =>
			(await waitForExecutions(...which))[0]!,

		/** The newest execution's id so far: what to pass as `after` before causing another. */
		lastExecutionId: async (workflowId: string) => (await executions({ workflowId }))[0]?.id ?? '0',

		stopExecution: async (id: string) => await session.post(`/executions/${id}/stop`),
		/** Stops listening for a test event, as the editor's button does. */
		cancelTestWebhook: async (workflowId: string) =>
			await session.delete(`/test-webhook/${workflowId}`),

		async runManually(id: string, start: ManualStart): Promise<{ waitingForWebhook?: boolean }> {
			const { triggerToStartFrom: trigger, destinationNode: destination } = start;
			return await session.post(`/workflows/${id}/run`, {
				// n8n 1 runs what it is sent rather than what is stored.
				workflowData: isOlderThan('2.0') ? await session.get(`/workflows/${id}`) : undefined,
				triggerToStartFrom: trigger && { name: trigger },
				destinationNode: destination && { nodeName: destination, mode: 'inclusive' },
			});
		},
	};
}
