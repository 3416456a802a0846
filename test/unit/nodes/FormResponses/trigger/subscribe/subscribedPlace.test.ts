import { webhookUrlOf } from '../../../../../../nodes/FormResponses/trigger/subscribe/subscribedPlace';
import { hookContextOf } from '../../../../kit/hookMethods';
import { WEBHOOK_ID } from '../../../../kit/workflow';
import { aWorkflow } from '../trigger.fixture';

test.each([
	['https://N8N.example.org:443/webhook', 'https://n8n.example.org/webhook'],
	['n8n.example.org/webhook', 'n8n.example.org/webhook'],
])('n8n at %s is at %s for the service', (webhookBaseUrl, known) => {
	const context = hookContextOf(aWorkflow({}, { webhookBaseUrl }));
	expect(webhookUrlOf(context)).toBe(`${known}/${WEBHOOK_ID}/webhook`);
});
