import type { Envelope, Form, FormService } from '../../../playground/service/client.mts';
import { node } from './drafts.mts';
import type { Stage } from './stage.mts';

const WEBHOOK = 'Webhook';

/** The simplest receiver in n8n: its own Webhook node, published, with a hook of the form on its URL. */
export async function publishWebhook(stage: Stage, service: FormService, form: Form) {
	const path = crypto.randomUUID();
	const parameters = { httpMethod: 'POST', path, responseMode: 'onReceived' };
	const type = 'n8n-nodes-base.webhook';
	const workflow = await stage.n8n.createWorkflow({
		name: `${WEBHOOK} ${path}`,
		nodes: [node(WEBHOOK, type, parameters, { typeVersion: 2, webhookId: path })],
		connections: {},
	});
	const { ok, message } = await stage.n8n.publish(workflow.id);
	if (!ok) throw new Error(message);
	const hook = await service.addHook(form.id, `${stage.instance.url}/webhook/${path}`);

	return {
		hook,
		/** The responses that its runs got, oldest first. */
		ran: async () =>
			(await stage.outputOf(workflow.id, WEBHOOK)).map(({ body }) => (body as Envelope).data),
	};
}
