import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ACTION, PACKAGE } from '../live/drafts.mts';
import { openStage } from '../live/stage.mts';
import type { Form } from '../live/service.mts';
import type { Stage } from '../live/stage.mts';

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

describe("the columns that n8n's editor shows before the first run", () => {
	let stage: Stage;
	let form: Form;
	let responseId: string;
	before(async () => {
		stage = await openStage();
		form = await stage.service.addForm('Contact');
		const [response] = await stage.service.addResponses(form.id, {});
		responseId = response!.data.responseId;
	});
	after(async () => await stage?.close());

	async function schemaOf(resource: string, operation: string): Promise<Schema> {
		// As the editor asks for them.
		const path = `/schemas/${PACKAGE}.formResponses/1.0.0/${resource}/${operation}.json`;
		const answer = await fetch(`${stage.instance.url}${path}`);
		assert.equal(answer.status, 200, path);
		return (await answer.json()) as Schema;
	}

	const formId = () => ({ __rl: true, mode: 'id', value: form.id });
	const hookIds: string[] = [];

	const cases: Array<[resource: string, operation: string, parameters: () => Json]> = [
		['account', 'get', () => ({})],
		['form', 'get', () => ({ formId: formId() })],
		['form', 'getAll', () => ({})],
		['hook', 'create', () => ({ formId: formId(), targetUrl: 'http://127.0.0.1:9/new-responses' })],
		['hook', 'delete', () => ({ hookId: hookIds[0] })],
		['response', 'get', () => ({ responseId })],
		['response', 'getAll', () => ({ formId: formId() })],
		['response', 'getNew', () => ({ formId: formId() })],
	];

	for (const [resource, operation, parameters] of cases) {
		test(`${resource}: ${operation} gives just these`, async () => {
			const schema = await schemaOf(resource, operation);
			const execution = await stage.runAction({ resource, operation, ...parameters() });
			const items = stage.n8n.nodeOutput(execution, ACTION);
			assert.equal(items.length, 1);
			if (operation === 'create') hookIds.push(String(items[0]!.json.id));
			assert.deepEqual(differences(schema, items[0]!.json), []);
		});
	}
});
