import { ExecutionLifecycleHooks, WorkflowExecute } from 'n8n-core';
import {
	createRunExecutionData,
	type IDataObject,
	type IWorkflowBase,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { install, NODE_NAME, type Stored } from './workflow';

export interface Runnable extends Stored {
	items?: IDataObject[];
	mode?: WorkflowExecuteMode;
	/** Gets what cancels the run, as "Stop" in the editor does. */
	onStart?: (cancel: () => void) => void;
}

/** Runs the node once, in n8n's own engine. */
export async function execute({ items = [{}], mode = 'manual', onStart, ...stored }: Runnable) {
	const { workflow, node, additionalData } = install(stored);
	const saved: Partial<IWorkflowBase> = { id: workflow.id, nodes: [node], connections: {} };
	additionalData.hooks = new ExecutionLifecycleHooks(mode, '1', saved as IWorkflowBase);
	const input = items.map((json, index) => ({ json, pairedItem: { item: index } }));
	const runExecutionData = createRunExecutionData({
		executionData: { nodeExecutionStack: [{ data: { main: [input] }, node, source: null }] },
	});
	const engine = new WorkflowExecute(additionalData, mode, runExecutionData);
	const execution = engine.processRunExecutionData(workflow);
	onStart?.(() => execution.cancel());
	const { data, status } = await execution;
	const [task] = data.resultData.runData[NODE_NAME] ?? [];
	const [regular, failed] = task?.data?.main ?? [];
	return {
		items: regular ?? [],
		errorItems: failed ?? [],
		error: task?.error ?? data.resultData.error,
		hints: task?.hints ?? [],
		status,
		/** The nodes that a retry of the run would begin with. */
		retried: data.executionData?.nodeExecutionStack.map(({ node: { name } }) => name) ?? [],
		/** What the execution tells of itself beside its items. */
		customData: data.resultData.metadata ?? {},
	};
}
