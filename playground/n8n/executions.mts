import { setTimeout as sleep } from 'node:timers/promises';
import { parse } from 'flatted';
import type { Session } from './session.mts';
import type { Execution, ExecutionSummary, Item } from './types.mts';
import { isOlderThan } from './version.mts';

export interface ManualStart {
	/** The trigger to run from; a webhook trigger then waits for a test event. */
	triggerToStartFrom?: string;
	/** The last node to run. */
	destinationNode?: string;
}

interface ExecutionQuery {
	workflowId: string;
	status?: string;
	/** The ID of an execution: only newer ones are listed. */
	after?: string;
}

interface ExecutionPage {
	results: ExecutionSummary[];
	nextCursor?: string | null;
}

const PAGE = 100;

/** n8n sorts pages by start time but starts the next one below an ID, which skips executions that started late. */
const OVERLAP = 50;

/** Query of the next page: n8n 2.41 takes only its cursor, earlier versions an ID. */
function startAfter({ results, nextCursor }: ExecutionPage): Record<string, string> {
	const lastId = String(Number(results.at(-1)!.id) + OVERLAP);
	if (!nextCursor) return { lastId };
	const cursor = JSON.parse(Buffer.from(nextCursor, 'base64url').toString());
	cursor.v1.id = lastId;
	return { cursor: Buffer.from(JSON.stringify(cursor)).toString('base64url') };
}

const UNFINISHED = ['new', 'running', 'waiting', 'unknown'];

export function nodeOutput({ data }: Execution, node: string, output = 0, run = 0): Item[] {
	return data.resultData.runData[node]?.[run]?.data?.main?.[output] ?? [];
}

function readCalls(session: Session) {
	/** Newest first; n8n returns at most 100 per page. */
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

	return { executions, execution };
}

export function executionCalls(session: Session) {
	const { executions, execution } = readCalls(session);

	/** Waits until `count` executions have ended; returns them oldest first. */
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
			await sleep(250);
		}
	}

	return {
		executions,
		execution,
		waitForExecutions,

		waitForExecution: async (...which: Parameters<typeof waitForExecutions>) =>
			(await waitForExecutions(...which))[0]!,

		/** Read before causing an execution, to pass it as `after`. */
		lastExecutionId: async (workflowId: string) => (await executions({ workflowId }))[0]?.id ?? '0',

		/** With the workflow as it was saved last. */
		retry: async (id: string) =>
			await session.post(`/executions/${id}/retry`, { loadWorkflow: true }),
		stopExecution: async (id: string) => await session.post(`/executions/${id}/stop`),
		cancelTestWebhook: async (workflowId: string) =>
			await session.delete(`/test-webhook/${workflowId}`),

		async runManually(id: string, start: ManualStart): Promise<{ waitingForWebhook?: boolean }> {
			const { triggerToStartFrom: trigger, destinationNode: destination } = start;
			return await session.post(`/workflows/${id}/run`, {
				// n8n 1 runs the workflow in the request, not the stored one.
				workflowData: isOlderThan('2.0') ? await session.get(`/workflows/${id}`) : undefined,
				triggerToStartFrom: trigger && { name: trigger },
				destinationNode: destination && { nodeName: destination, mode: 'inclusive' },
			});
		},
	};
}
