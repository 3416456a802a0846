import { WebhookContext } from 'n8n-core';
import { install, webhookDataOf, type Stored } from './workflow';

interface HttpDelivery {
	body?: unknown;
	/** The bytes, where they are not those of the body. */
	rawBody?: string;
	query?: Record<string, unknown>;
	isTest?: boolean;
	/** Whether n8n cannot store the execution. */
	isStoreDown?: boolean;
}

/** Posts a delivery to the node's webhook and tells what the service and the workflow get. */
export async function deliver(
	stored: Stored,
	{ body, rawBody, query = {}, isTest = false, isStoreDown = false }: HttpDelivery,
) {
	const installed = install(stored);
	const { workflow, node, additionalData } = installed;
	const sent: Array<{ status: number; body: unknown; answeredAt: number }> = [];
	const headers: Record<string, unknown> = {};
	const onFinish: Array<() => void> = [];
	const httpResponse = {
		statusCode: 200,
		setHeader(name: string, value: unknown) {
			headers[name] = value;
		},
		status(code: number) {
			httpResponse.statusCode = code;
			return httpResponse;
		},
		json(content: unknown) {
			const status = httpResponse.statusCode;
			sent.push({ status, body: content, answeredAt: Date.now() });
			return httpResponse;
		},
		once: (event: string, act: () => void) => event === 'finish' && onFinish.push(act),
	};
	const bytes = Buffer.from(rawBody ?? JSON.stringify(body) ?? '');
	const httpRequest = { body, rawBody: bytes, query, headers: {}, params: {}, method: 'POST' };
	Object.assign(additionalData, { httpRequest, httpResponse });
	const webhookData = webhookDataOf(stored, installed, isTest);
	const mode = isTest ? 'manual' : 'webhook';
	const context = new WebhookContext(workflow, node, additionalData, mode, webhookData, [], null);
	const result = await stored.type.webhook!.call(context);
	// n8n answers by itself where the node does not (CLI, webhook-helpers.ts).
	if (isStoreDown) httpResponse.status(500);
	onFinish.forEach((act) => act());
	const own = {
		status: httpResponse.statusCode,
		// The description's `responseData` is empty, so that the node's answer counts.
		body: result.webhookResponse as unknown,
	};
	return {
		...(result.noWebhookResponse ? sent[0] : own),
		retryAfter: headers['Retry-After'],
		/** What the node has sent by itself, also later: more than once, or beside n8n, ends the process. */
		sent,
		/** The items that the workflow is run with; undefined where no run starts. */
		run: result.workflowData?.[0].map(({ json }) => json),
		/** n8n would store the whole of it again (CLI, live-webhooks.ts). */
		isStaticDataUntouched: workflow.staticData.__dataChanged !== true,
	};
}

/** The query of a URL as n8n hands it to the node. */
export const queryOf = (url: string): Record<string, string> =>
	Object.fromEntries(new URL(url).searchParams);
