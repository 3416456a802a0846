import { WebhookContext } from 'n8n-core';
import type {
	IDataObject,
	IWebhookResponseData,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import { watchRequests } from './requests';
import type { Stored } from './workflow';
import { install, webhookDataOf } from './workflow';

export interface DeliveryAnswer {
	status: number;
	body: unknown;
	/** The items that the workflow is run with; undefined where no run starts. */
	run?: IDataObject[];
	/** Whether the call left the static data as it was. */
	isStaticDataUntouched: boolean;
}

export interface HttpDelivery {
	body?: unknown;
	query?: Record<string, unknown>;
	isTest?: boolean;
}

/** Posts a delivery to the node's webhook and tells what the service and the workflow get. */
export async function deliver(
	stored: Stored,
	{ body, query = {}, isTest = false }: HttpDelivery,
): Promise<DeliveryAnswer> {
	const installed = install(stored);
	const { workflow, node, additionalData } = installed;
	const sent: Array<{ status: number; body: unknown }> = [];
	let status = 200;
	const response = {
		status(code: number) {
			status = code;
			return response;
		},
		json(content: unknown) {
			sent.push({ status, body: content });
			return response;
		},
	};
	const http = {
		httpRequest: { body, query, headers: {}, params: {}, method: 'POST' },
		httpResponse: response,
	};
	Object.assign(additionalData, http as unknown as Partial<IWorkflowExecuteAdditionalData>);
	const webhookData = webhookDataOf(stored, installed, isTest);
	const mode = isTest ? 'manual' : 'webhook';
	const context = new WebhookContext(workflow, node, additionalData, mode, webhookData, [], null);
	watchRequests(context);
	const result: IWebhookResponseData = await stored.type.webhook!.call(context);
	const run = result.workflowData?.[0].map(({ json }) => json);
	// n8n answers by itself where the node does not (CLI, webhook-helpers.ts).
	const own = { status: 200, body: { message: 'Workflow was started' } };
	const answer = result.noWebhookResponse ? sent[0] : own;
	// n8n would store the whole of it again (CLI, live-webhooks.ts).
	return { ...answer, run, isStaticDataUntouched: workflow.staticData.__dataChanged !== true };
}

/** The query of a URL as n8n hands it to the node. */
export const queryOf = (url: string): Record<string, string> =>
	Object.fromEntries(new URL(url).searchParams);
