import {
	isSamePlace,
	webhookUrlOf,
} from '../../../../../../nodes/FormResponses/trigger/subscribe/place';
import { hookContextOf } from '../../../../kit/hook';
import { WEBHOOK_ID } from '../../../../kit/workflow';
import { FORM_ID, OTHER_FORM_ID } from '../../../../kit/samples';
import { BASE_URL } from '../../../../kit/formService';
import { aWorkflow } from '../trigger.fixture';

test.each([
	['https://N8N.example.org:443/webhook', 'https://n8n.example.org/webhook'],
	['n8n.example.org/webhook', 'n8n.example.org/webhook'],
])('n8n at %s is at %s for the service', (webhookBaseUrl, known) => {
	const context = hookContextOf(aWorkflow({}, { webhookBaseUrl }));
	expect(webhookUrlOf(context)).toBe(`${known}/${WEBHOOK_ID}/webhook`);
});

const before = {
	...{ formId: FORM_ID, webhookUrl: 'https://n8n.example.org/webhook' },
	...{ credentialId: 'first', baseUrl: BASE_URL },
};

test.each<[string, object, boolean]>([
	['nothing', {}, true],
	['the form', { formId: OTHER_FORM_ID }, false],
	['the address of n8n', { webhookUrl: 'https://moved.example.org/webhook' }, false],
	['the credential', { credentialId: 'second' }, false],
	['the service', { baseUrl: 'https://forms.example.org/api/v1' }, false],
	['whether the base URL can be read', { baseUrl: undefined }, true],
])('a hook is kept where %s changed: %j, %s', (_, change, isSame) => {
	expect(isSamePlace({ ...before, ...change }, before)).toBe(isSame);
});
