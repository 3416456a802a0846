import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type Connection, type Rig, useRig } from '../kit/real-n8n.mts';
import { byId, PACKAGE } from '../kit/workflow-nodes.mts';

type Json = Record<string, unknown>;

const KEY = 'live_playground_key';

describe('a credential with expressions of the item, in a real n8n', () => {
	const rig = useRig();
	let other: Connection;
	before(async () => void (other = await rig.openService()));

	/** n8n connects no credential that has such an expression. */
	async function credentialWith(type: keyof Rig['credentials'], data: Json) {
		const added = await rig.addCredential(type);
		if (type === 'formResponsesOAuth2Api') await rig.n8n.authorizeOAuth2(added.id);
		await rig.n8n.updateCredential(added.id, { data });
		return added;
	}

	const byItem = { baseUrl: '={{ $json.url }}', apiKey: '={{ $json.key }}' };
	const items = () => [
		{ url: rig.service.baseUrl, key: KEY },
		{ url: other.service.baseUrl, key: KEY },
		{ url: rig.service.baseUrl, key: 'live_wrong_key' },
	];

	/** What each item led to: the emails of its responses, or the error. */
	async function readFrom(formId: string, inputs: Json[], parameters: Json, extra: Json) {
		const read = { resource: 'response', operation: 'getAll', formId: byId(formId), ...parameters };
		const how = { ...extra, onError: 'continueRegularOutput' };
		return (await rig.actionOutput(read, inputs, how)).map(
			({ json }) => json.respondentEmail ?? (json.error as Json).message,
		);
	}

	test('each item asks its own service with its own key', async () => {
		const extra = await credentialWith('formResponsesApi', byItem);
		const form = await rig.service.addForm('Contact');
		const twin = await other.service.addForm('Contact');
		for (const [{ service }, { id }] of [
			[rig, form],
			[other, twin],
		] as const) {
			await service.addResponses(id, { respondentEmail: `${id}@example.com` });
		}
		const formId = '={{ $json.form }}';
		const inputs = items().map((one, n) => ({ ...one, form: n === 1 ? twin.id : form.id }));
		const byKey = { authentication: 'apiKey' };
		const [first, second, third] = await readFrom(formId, inputs, byKey, extra);
		assert.equal(first, `${form.id}@example.com`);
		assert.equal(second, `${twin.id}@example.com`);
		assert.match(String(third), /does not accept the API key/);
	});

	test('an OAuth2 token goes to no service of an item', async () => {
		const extra = await credentialWith('formResponsesOAuth2Api', { baseUrl: byItem.baseUrl });
		const form = await rig.service.addForm('Contact');
		await rig.service.forgetRequests();
		for (const said of await readFrom(form.id, items(), {}, extra)) {
			assert.match(String(said), /expression of an item works in Form Responses only, with an API/);
		}
		assert.deepEqual(await rig.service.requests(), []);
	});

	test('other expressions work with OAuth2 as well', async () => {
		const baseUrl = `={{ "${rig.service.url}" + "/api/v1" }}`;
		const extra = await credentialWith('formResponsesOAuth2Api', { baseUrl });
		const form = await rig.service.addForm('Contact');
		await rig.service.addResponses(form.id, { respondentEmail: 'ada@example.com' });
		const found = await readFrom(form.id, items(), {}, extra);
		assert.deepEqual(found, ['ada@example.com', 'ada@example.com', 'ada@example.com']);
	});

	test('where there is no item, the trigger and the form picker say so', async () => {
		const { credentials } = await credentialWith('formResponsesApi', byItem);
		const says = /expression of an item/;
		const form = await rig.service.addForm('Contact');
		const polling = { authentication: 'apiKey' };
		const workflow = await rig.addTriggerWorkflow(form.id, polling, [], { credentials });
		const published = await rig.n8n.publish(workflow.id);
		assert.match(published.message, says);
		await assert.rejects(rig.testTrigger(workflow.id), says);
		const open = await credentialWith('formResponsesOAuth2Api', { baseUrl: byItem.baseUrl });
		const picking = rig.n8n.resourceLocatorResults({
			nodeType: `${PACKAGE}.formResponses`,
			parameter: 'formId',
			methodName: 'searchForms',
			currentNodeParameters: { authentication: 'oAuth2' },
			credentials: open.credentials,
		});
		await assert.rejects(picking, says);
	});
});
