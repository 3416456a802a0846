import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import type {
	ExecutionError,
	IDataObject,
	INodeExecutionData,
	NodeExecutionHint,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import { createRunExecutionData } from 'n8n-workflow';
import type { Stored } from './workflow';
import { install, NODE_NAME } from './workflow';

export interface Run {
	/** What the node gives to the next one. */
	items: INodeExecutionData[];
	/** Items of the error output, where the node has one. */
	errorItems: INodeExecutionData[];
	error?: ExecutionError;
	hints: NodeExecutionHint[];
	status: string;
	/** What the execution tells of itself beside its items. */
	customData: Record<string, string>;
}

export interface Runnable extends Stored {
	items?: IDataObject[];
	mode?: WorkflowExecuteMode;
	/** Gets what cancels the run, as "Stop" in the editor does. */
	onStart?: (cancel: () => void) => void;
}

/** Runs the node once, in n8n's own engine. */
export async function execute({
	items = [{}],
	mode = 'manual',
	onStart,
	...stored
}: Runnable): Promise<Run> {
	const { workflow, node, additionalData } = install(stored);
	additionalData.hooks = new ExecutionLifecycleHooks(mode, '1', {
		id: workflow.id,
		name: 'Responses',
		active: true,
		isArchived: false,
		createdAt: new Date(),
		updatedAt: new Date(),
		nodes: [node],
		connections: {},
		activeVersionId: null,
	});
	const input = items.map((json, index) => ({ json, pairedItem: { item: index } }));
	const runExecutionData = createRunExecutionData({
		startData: {},
		resultData: { runData: {}, pinData: {} },
		executionData: {
			contextData: {},
			nodeExecutionStack: [{ data: { main: [input] }, node, source: null }],
			metadata: {},
			waitingExecution: {},
			waitingExecutionSource: {},
		},
	});
	const execution = new WorkflowExecute(
		additionalData,
		mode,
		runExecutionData,
	).processRunExecutionData(workflow);
	onStart?.(() => execution.cancel());
	const { data, status } = await execution;
	const [task] = data.resultData.runData[NODE_NAME] ?? [];
	const outputs = task?.data?.main ?? [];
	return {
		items: outputs[0] ?? [],
		errorItems: outputs[1] ?? [],
		error: task?.error ?? data.resultData.error,
		hints: task?.hints ?? [],
		status,
		customData: data.resultData.metadata ?? {},
	};
}
