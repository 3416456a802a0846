import { createRequire } from 'node:module';
import { join } from 'node:path';
import type {
	ICredentialType,
	INodeExecutionData,
	INodeType,
	INodeTypes,
	IWorkflowExecuteAdditionalData,
	INode,
} from 'n8n-workflow';
import { credentialsHelper } from './credentials.mts';
import type { Job } from './job.mts';

type Core = typeof import('n8n-core');
type WorkflowModule = typeof import('n8n-workflow');
type Classes<Instance> = Record<string, new () => Instance>;

const NAME = 'Measured';

/** Loads n8n's engine and the node; what it gives runs the node once in it, for the given items. */
export function loadNode(job: Job) {
	const load = createRequire(join(job.n8nFolder, 'package.json'));
	const { WorkflowExecute, ExecutionLifecycleHooks } = load('n8n-core') as Core;
	const { Workflow, createRunExecutionData, ICredentialsHelper } = load(
		'n8n-workflow',
	) as WorkflowModule;
	const nodeType = new (load(job.nodeFile) as Classes<INodeType>)[job.className]();
	const [credentialClass] = Object.values(load(job.credentialFile) as Classes<ICredentialType>);
	const credentialType = new credentialClass();

	const node: INode = {
		id: 'node',
		name: NAME,
		type: `bench.${nodeType.description.name}`,
		typeVersion: 1,
		position: [0, 0],
		parameters: job.parameters as INode['parameters'],
		credentials: { formResponsesOAuth2Api: { id: 'credential', name: 'OAuth2' } },
	};
	const nodeTypes: INodeTypes = {
		getByName: () => nodeType,
		getByNameAndVersion: () => nodeType,
		getKnownTypes: () => ({}),
	};
	const workflow = new Workflow({
		id: 'workflow',
		name: 'Bench',
		nodes: [node],
		connections: {},
		active: true,
		nodeTypes,
		settings: { executionOrder: 'v1' },
	});

	return async function run(input: INodeExecutionData[], onNodeEnd: () => void = () => {}) {
		const additionalData = {
			credentialsHelper: credentialsHelper(ICredentialsHelper, credentialType, job),
			executionId: '1',
			currentNodeExecutionIndex: 0,
			variables: {},
			instanceBaseUrl: 'http://localhost/',
			restApiUrl: 'http://localhost/rest',
			webhookBaseUrl: 'http://localhost/webhook',
			webhookTestBaseUrl: 'http://localhost/webhook-test',
			webhookWaitingBaseUrl: 'http://localhost/webhook-waiting',
			formWaitingBaseUrl: 'http://localhost/form-waiting',
		} as Partial<IWorkflowExecuteAdditionalData> as IWorkflowExecuteAdditionalData;
		additionalData.hooks = new ExecutionLifecycleHooks('trigger', '1', {
			id: 'workflow',
			name: 'Bench',
			active: true,
			isArchived: false,
			createdAt: new Date(),
			updatedAt: new Date(),
			nodes: [node],
			connections: {},
			activeVersionId: null,
		});
		additionalData.hooks.addHandler('nodeExecuteAfter', () => onNodeEnd());
		const runExecutionData = createRunExecutionData({
			startData: {},
			resultData: { runData: {}, pinData: {} },
			executionData: {
				contextData: {},
				nodeExecutionStack: [
					{ data: { main: [input] }, node: workflow.getNode(NAME)!, source: null },
				],
				metadata: {},
				waitingExecution: {},
				waitingExecutionSource: {},
			},
		});
		const execution = new WorkflowExecute(additionalData, 'trigger', runExecutionData);
		const { data } = await execution.processRunExecutionData(workflow);
		const { error } = data.resultData;
		if (error) throw error;
		return data.resultData.runData[NAME]?.[0]?.data?.main?.[0] ?? [];
	};
}
