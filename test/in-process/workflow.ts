import type {
	IDataObject,
	INode,
	INodeParameters,
	INodeType,
	INodeTypes,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { UnexpectedError, Workflow } from 'n8n-workflow';
import type { CredentialValues } from './credentials';
import { CredentialsInMemory, credentialValues } from './credentials';

/** A workflow of one node, as n8n has it in its database. */
export interface Stored {
	type: INodeType;
	parameters: INodeParameters;
	workflowId?: string;
	nodeId?: string;
	onError?: INode['onError'];
	/** Whether n8n runs the node twice where it fails. */
	retryOnFail?: boolean;
	credentials?: CredentialValues;
	staticData?: IDataObject;
	webhookBaseUrl?: string;
}

export interface Installed {
	workflow: Workflow;
	node: INode;
	additionalData: IWorkflowExecuteAdditionalData;
}

export const NODE_NAME = 'Forms';
export const WEBHOOK_ID = '33333333-3333-4333-8333-333333333333';
export const WEBHOOK_BASE_URL = 'https://n8n.example.com/webhook';

const notHere = (what: string) => async () => {
	throw new UnexpectedError(`${what} is not part of the tests`);
};

function additionalDataOf({
	credentials,
	webhookBaseUrl = WEBHOOK_BASE_URL,
}: Stored): IWorkflowExecuteAdditionalData {
	const data: Partial<IWorkflowExecuteAdditionalData> = {
		credentialsHelper: new CredentialsInMemory(credentials ?? credentialValues()),
		executeWorkflow: notHere('Running another workflow'),
		getRunExecutionData: notHere('Reading an execution'),
		startRunnerTask: notHere('A task runner'),
		executionId: '1',
		currentNodeExecutionIndex: 0,
		instanceBaseUrl: 'https://n8n.example.com/',
		restApiUrl: 'https://n8n.example.com/rest',
		webhookBaseUrl,
		webhookTestBaseUrl: `${webhookBaseUrl}-test`,
		webhookWaitingBaseUrl: 'https://n8n.example.com/webhook-waiting',
		formWaitingBaseUrl: 'https://n8n.example.com/form-waiting',
		variables: {},
		logAiEvent: () => {},
	};
	return data as IWorkflowExecuteAdditionalData;
}

/** Loads the workflow with the defaults of its node filled in, as n8n does for every run and call. */
export function install(stored: Stored): Installed {
	const {
		type,
		onError,
		retryOnFail,
		staticData,
		workflowId = 'workflow-1',
		nodeId = 'node-1',
	} = stored;
	const node: INode = {
		id: nodeId,
		name: NODE_NAME,
		type: `n8n-nodes-form-responses.${type.description.name}`,
		typeVersion: 1,
		position: [0, 0],
		parameters: structuredClone(stored.parameters),
		webhookId: WEBHOOK_ID,
		onError,
		...(retryOnFail ? { retryOnFail, maxTries: 2, waitBetweenTries: 0 } : {}),
		credentials: {
			formResponsesApi: { id: 'credential-1', name: 'Form Responses key' },
			formResponsesOAuth2Api: { id: 'credential-2', name: 'Form Responses account' },
		},
	};
	const nodeTypes: INodeTypes = {
		getByName: () => type,
		getByNameAndVersion: () => type,
		getKnownTypes: () => ({}),
	};
	const workflow = new Workflow({
		id: workflowId,
		name: 'Responses',
		nodes: [node],
		connections: {},
		active: true,
		nodeTypes,
		staticData: structuredClone(staticData),
		settings: { executionOrder: 'v1', timezone: 'UTC' },
	});
	return {
		workflow,
		node: workflow.getNode(NODE_NAME)!,
		additionalData: additionalDataOf(stored),
	};
}

/** What n8n tells a call of the node's webhook, or of its webhook methods. */
export const webhookDataOf = (
	{ type }: Stored,
	{ workflow, node, additionalData }: Installed,
	isTest: boolean,
) => ({
	httpMethod: 'POST' as const,
	node: node.name,
	path: 'webhook',
	webhookDescription: type.description.webhooks![0],
	workflowId: workflow.id,
	workflowExecuteAdditionalData: additionalData,
	isTest,
});
