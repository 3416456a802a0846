import type { Envelope, Form, FormService } from '../../../playground/service/client.mts';
import { node } from './workflow-nodes.mts';
import type { Rig } from './real-n8n.mts';

const WEBHOOK = 'Webhook';

/** The simplest receiver in n8n: its own Webhook node, published, with a hook of the form on its URL. */
export async function publishWebhook(rig: Rig, service: FormService, form: Form) {
	const path = crypto.randomUUID();
	const parameters = { httpMethod: 'POST', path, responseMode: 'onReceived' };
	const type = 'n8n-nodes-base.webhook';
	const extra = { typeVersion: 2, webhookId: path };
	const { id } = await rig.addWorkflow([node(WEBHOOK, type, parameters, extra)]);
	await rig.publish(id);
	const hook = await service.addHook(form.id, `${rig.instance.url}/webhook/${path}`);

	return {
		hook,
		/** The responses that its runs got, oldest first. */
		ran: async () => (await rig.outputOf(id, WEBHOOK)).map(({ body }) => (body as Envelope).data),
	};
}
