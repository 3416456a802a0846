import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startFormService, type FormService } from '../service/client.mts';
import { summary } from '../start/summary.mts';

let service: FormService;
before(async () => (service = await startFormService()));
after(async () => await service.close());

const page = { name: 'Ask', type: 'n8n-nodes-base.formTrigger', webhookId: 'page-1' };

const printed = (active = true) =>
	summary({
		n8nUrl: 'http://localhost:5678',
		n8nLog: join(import.meta.dirname, '../node_modules/.data/n8n/n8n.log'),
		serviceUrl: service.url,
		mailUrl: 'http://127.0.0.1:5880',
		forms: Array.from({ length: 3 }, (_, n) => ({ id: `${n}`, title: `Form ${n}` })),
		workflows: Array.from({ length: 8 }, (_, n) => ({
			id: `${n}`,
			name: `Workflow ${n}`,
			active,
			nodes: n === 4 ? [page] : [],
		})),
	});

const valueOf = (field: string) => new RegExp(`^ +${field} +(\\S+)$`, 'm').exec(printed())![1]!;

test("the summary has n8n's log and the page of an example, and fits on a screen", () => {
	assert.equal(valueOf('log'), 'playground/node_modules/.data/n8n/n8n.log');
	const asked = /at http:\/\/localhost:5678\/form\/page-1 \(user playground, password playground\)/;
	assert.match(printed(), asked);
	assert.doesNotMatch(printed(false), /\/form\//);
	assert.ok(printed().split('\n').length <= 40);
});

test('the form service takes what the summary says of credentials', async () => {
	const account = async (token: string) =>
		(await fetch(`${valueOf('Base URL')}/me`, { headers: { authorization: `Bearer ${token}` } }))
			.status;
	assert.equal(await account(valueOf('API Key')), 200);

	const client = `${valueOf('Client ID')}:${valueOf('Client Secret')}`;
	const granted = await fetch(valueOf('Access Token URL'), {
		method: 'POST',
		headers: { authorization: `Basic ${Buffer.from(client).toString('base64')}` },
		body: new URLSearchParams({ grant_type: 'client_credentials' }),
	});
	assert.equal(await account((await granted.json()).access_token), 200);

	const query = new URLSearchParams({ client_id: valueOf('Client ID'), response_type: 'code' });
	const asked = await fetch(`${valueOf('Authorization URL')}?${query}`);
	assert.match(await asked.text(), /Allow access/);
});
