import {
	Workflow,
	type IDataObject,
	type INode,
	type INodeParameters,
	type INodeType,
	type INodeTypes,
	type IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { credentialsInMemory, credentialValues, type CredentialValues } from './credentials';

/** A workflow of one node, as n8n has it in its database. */
export interface Stored {
	type: INodeType;
	parameters: INodeParameters;
	workflowId?: string;
	nodeId?: string;
	onError?: INode['onError'];
	/** Whether n8n runs the node twice where it fails. */
	retryOnFail?: boolean;
	alwaysOutputData?: boolean;
	credentials?: CredentialValues;
	/** Of the OAuth2 credential. */
	credentialId?: string;
	staticData?: IDataObject;
	webhookBaseUrl?: string;
}

interface Installed {
	workflow: Workflow;
	node: INode;
	additionalData: IWorkflowExecuteAdditionalData;
}

export const NODE_NAME = 'Forms';
export const WEBHOOK_ID = '33333333-3333-4333-8333-333333333333';
export const WEBHOOK_BASE_URL = 'https://n8n.example.com/webhook';

function additionalDataOf(stored: Stored): IWorkflowExecuteAdditionalData {
	const { credentials = credentialValues(), webhookBaseUrl = WEBHOOK_BASE_URL } = stored;
	const data: Partial<IWorkflowExecuteAdditionalData> = {
		credentialsHelper: credentialsInMemory(credentials),
		executionId: '1',
		currentNodeExecutionIndex: 0,
		webhookBaseUrl,
		webhookTestBaseUrl: `${webhookBaseUrl}-test`,
		webhookWaitingBaseUrl: 'https://n8n.example.com/webhook-waiting',
		formWaitingBaseUrl: 'https://n8n.example.com/form-waiting',
		variables: {},
	};
	return data as IWorkflowExecuteAdditionalData;
}

/** Loads the workflow with the defaults of its node filled in, as n8n does for every run and call. */
export function install(stored: Stored): Installed {
	const { type, onError, retryOnFail, alwaysOutputData } = stored;
	const node: INode = {
		id: stored.nodeId ?? 'node-1',
		name: NODE_NAME,
		type: `n8n-nodes-form-responses.${type.description.name}`,
		typeVersion: 1,
		position: [0, 0],
		parameters: structuredClone(stored.parameters),
		webhookId: WEBHOOK_ID,
		onError,
		alwaysOutputData,
		...(retryOnFail ? { retryOnFail, maxTries: 2, waitBetweenTries: 0 } : {}),
		credentials: {
			formResponsesApi: { id: 'credential-1', name: 'Form Responses key' },
			formResponsesOAuth2Api: {
				id: stored.credentialId ?? 'credential-2',
				name: 'Form Responses account',
			},
		},
	};
	const workflow = new Workflow({
		id: stored.workflowId ?? 'workflow-1',
		name: 'Responses',
		nodes: [node],
		connections: {},
		active: true,
		nodeTypes: {
			getByName: () => type,
			getByNameAndVersion: () => type,
		} as Partial<INodeTypes> as INodeTypes,
		staticData: structuredClone(stored.staticData),
		settings: { executionOrder: 'v1', timezone: 'UTC' },
	});
	const installed = workflow.getNode(NODE_NAME)!;
	return { workflow, node: installed, additionalData: additionalDataOf(stored) };
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
