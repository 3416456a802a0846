import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { useRig } from '../kit/real-n8n.mts';
import { byId, PACKAGE, TRIGGER } from '../kit/workflow-nodes.mts';

type Json = Record<string, unknown>;

interface Schema {
	type: string;
	properties?: Record<string, Schema>;
}

/** What a value has that the schema does not say, or the other way round; as paths with types. */
function differences({ type, properties }: Schema, value: unknown, path = ''): string[] {
	if (typeof value !== type) return [`${path}: ${typeof value} rather than ${type}`];
	if (properties === undefined) return [];
	const present = value as Json;
	const names = [...new Set([...Object.keys(properties), ...Object.keys(present)])];
	return names.flatMap((name) => {
		const own = `${path}/${name}`;
		if (!(name in present)) return [`${own}: does not come`];
		return properties[name] ? differences(properties[name], present[name], own) : [`${own}: new`];
	});
}

describe('the columns that the editor shows before the first run are those that come', () => {
	const rig = useRig(async () => ({ hasEditor: true }));
	let ids: { formId: unknown; responseId: string; hookId?: unknown };
	before(async () => {
		const own = await rig.service.addForm('One response');
		const [response] = await rig.service.addResponses(own.id);
		ids = { formId: byId(own.id), responseId: response!.data.responseId };
	});

	/** As the editor asks for it. */
	async function schemaAt(place: string) {
		const answer = await fetch(`${rig.instance.url}/schemas/${PACKAGE}.${place}.json`);
		assert.equal(answer.status, 200, place);
		return (await answer.json()) as Schema;
	}

	test('the trigger', async () => {
		const schema = await schemaAt('formResponsesTrigger/1.0.0');
		const own = await rig.service.addForm('One response of the trigger');
		await rig.service.addResponses(own.id);
		const { id } = await rig.addTriggerWorkflow(own.id, { testWith: 'latest' });
		await rig.testTrigger(id);
		const execution = await rig.n8n.waitForExecution(id);
		const [item] = rig.n8n.nodeOutput(execution, TRIGGER);
		assert.deepEqual(differences(schema, item!.json), []);
	});

	for (const [resource, operation, parameters] of [
		['account', 'get', {}],
		['form', 'get', {}],
		['form', 'getAll', { limit: 1 }],
		['hook', 'create', { targetUrl: 'http://127.0.0.1:9/new-responses' }],
		['hook', 'delete', {}],
		['response', 'get', {}],
		['response', 'getAll', {}],
		['response', 'getNew', {}],
	] as const) {
		test(`${resource}: ${operation}`, async () => {
			const schema = await schemaAt(`formResponses/1.0.0/${resource}/${operation}`);
			const asked = { resource, operation, ...ids, ...parameters };
			const [item, ...others] = await rig.actionOutput(asked);
			assert.deepEqual(others, []);
			if (operation === 'create') ids.hookId = item!.json.id;
			assert.deepEqual(differences(schema, item!.json), []);
		});
	}
});
