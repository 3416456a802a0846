import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { readAuthentication, readWholeNumber } from '../parameters';
import type { ErrorDetails } from '../transport/errors';
import { connectItems } from '../transport/connect';
import { findOperation } from './index';
import type { Operation } from './operation';
import { mapPool } from './pool';

const DEFAULT_CONCURRENCY = 50;
const MAX_CONCURRENCY = 100;

function readOperation(context: IExecuteFunctions): Operation {
	const resource = context.getNodeParameter('resource', 0);
	const name = context.getNodeParameter('operation', 0);
	const operation = findOperation(resource, name);
	if (operation !== undefined) return operation;
	const message = `The resource "${resource}" has no operation "${name}". Choose another operation.`;
	throw new NodeOperationError(context.getNode(), message);
}

function readConcurrency(context: IExecuteFunctions): number {
	const maxConcurrency: unknown = context.getNodeParameter(
		'options.maxConcurrency',
		0,
		DEFAULT_CONCURRENCY,
	);
	const range = { min: 1, max: MAX_CONCURRENCY };
	return readWholeNumber(context, 'options', 'Max Concurrency', range, 0, maxConcurrency);
}

function toNodeError(context: IExecuteFunctions, error: Error, itemIndex: number) {
	const isNodeError = error instanceof NodeApiError || error instanceof NodeOperationError;
	const nodeError = isNodeError ? error : new NodeOperationError(context.getNode(), error);
	// Items may share one request, and its error.
	nodeError.context.itemIndex ??= itemIndex;
	return nodeError;
}

/**
 * Builds the error item. n8n replaces the JSON of an item that has `error` beside `json`. It takes an item for
 * an error if its JSON has the key `error`, and up to 2.33 no other key (n8n-core, workflow-execute.ts).
 */
function errorItem(
	error: NodeApiError | NodeOperationError,
	itemIndex: number,
): INodeExecutionData {
	const { data } = error.context as { data?: ErrorDetails };
	const details: ErrorDetails = data ?? { status: null, code: null, hint: null, docs: null };
	return {
		json: { error: { message: error.message, ...details } },
		pairedItem: { item: itemIndex },
	};
}

async function runAll(context: IExecuteFunctions): Promise<INodeExecutionData[]> {
	const operation = readOperation(context);
	const canceled = context.getExecutionCancelSignal();
	const ended = new AbortController();
	const end = () => ended.abort();
	const maxConcurrency = readConcurrency(context);
	const connectTo = connectItems(context, {
		authentication: readAuthentication(context),
		maxConcurrency,
		signal: canceled ? AbortSignal.any([canceled, ended.signal]) : ended.signal,
		onFailure: context.continueOnFail() ? undefined : end,
	});

	const work = async (_: INodeExecutionData, itemIndex: number) => {
		try {
			const api = await connectTo(itemIndex);
			return { results: await operation.execute(context, api, itemIndex) };
		} catch (error) {
			const nodeError = toNodeError(context, error as Error, itemIndex);
			if (context.continueOnFail() && !canceled?.aborted) return { nodeError };
			end();
			throw nodeError;
		}
	};
	const outputs = await mapPool(context.getInputData(), maxConcurrency, work);
	if (canceled?.aborted) throw new NodeOperationError(context.getNode(), 'The run was canceled.');
	const all = await Promise.all(
		outputs.map(async ({ results, nodeError }, itemIndex) => {
			if (nodeError) return [errorItem(nodeError, itemIndex)];
			const jsons = typeof results === 'function' ? await results() : results!;
			return jsons.map((json): INodeExecutionData => ({ json, pairedItem: { item: itemIndex } }));
		}),
	);
	return all.flat();
}

/**
 * With "continue on error", n8n passes the input items on as successes if a node throws. So an error that
 * concerns all items becomes one error item per input.
 */
export async function route(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	try {
		return [await runAll(context)];
	} catch (error) {
		if (!context.continueOnFail() || context.getExecutionCancelSignal()?.aborted)
			throw error as Error;
		const nodeError = toNodeError(context, error as Error, 0);
		return [context.getInputData().map((_, itemIndex) => errorItem(nodeError, itemIndex))];
	}
}
