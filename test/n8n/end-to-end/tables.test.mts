import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import type { Form } from '../../../playground/service/client.mts';
import { readRows } from '../kit/data-tables.mts';
import { postgresDatabase, postgresUser, startPostgres } from '../kit/postgres.mts';
import { missingPrograms } from '../kit/programs.mts';
import { useRig } from '../kit/real-n8n.mts';
import { byId, node, type NodeDraft } from '../kit/workflow-nodes.mts';
import { succeeded } from '../kit/workflows.mts';

type Json = Record<string, unknown>;

const TABLE = 'responses';
const MATCHED = { dataTableId: { __rl: true, mode: 'name', value: TABLE } };

/** What the answers of a form with such questions are called in a table, as one test shows. */
const COLUMNS: Array<[label: string, column: string]> = [
	['Full name', 'full_name'],
	['E-mail?', 'e_mail'],
	['Full Name', 'full_name__2'],
	['Order', 'order'],
	['ID', 'id__2'],
	['Select from "user"', 'select_from_user'],
	['2nd choice', 'field_2nd_choice'],
	['Größe', 'grosse'],
];
/** Named by their fields. */
const OTHERS: Array<[label: string, column: RegExp]> = [
	['質問 3', /^field_[0-9a-f_]{36}$/],
	[`${'Long '.repeat(20)}A`, /^(long_){10}long_[0-9a-f]{8}$/],
	[`${'Long '.repeat(20)}B`, /^(long_){10}long_[0-9a-f]{8}$/],
];

const names = COLUMNS.map(([, column]) => column);

describe('two settings make responses rows', () => {
	const rig = useRig();
	let form: Form;

	before(async () => {
		const labels = [...COLUMNS, ...OTHERS].map(([label]) => label);
		const fields = labels.map((label) => ({ label, type: 'text' }));
		[form] = (await rig.service.addForms({ title: 'Odd', fields })) as [Form];
		await rig.service.addResponses(form.id, { count: 3 });
	});

	const options = { answerKeys: 'columnName', flattenAnswers: true, include: ['responseId'] };
	const responses = () => rig.actionNode({ formId: byId(form.id), options });

	/** Runs the nodes in a row; what the last one put out. */
	async function run(...nodes: NodeDraft[]) {
		const execution = succeeded(await rig.run(...nodes));
		return rig.n8n.nodeOutput(execution, nodes.at(-1)!.name).map(({ json }) => json);
	}

	/** Of a test. */
	const shown = async () => (await run(responses())) as [Json, Json, Json];

	/** Rows in the order of the responses, without what the table adds. */
	function assertSaved(rows: Json[], expected: Json[]) {
		const byResponse = new Map(rows.map((row) => [row.responseId, row]));
		assert.equal(rows.length, expected.length);
		for (const one of expected) assert.partialDeepStrictEqual(byResponse.get(one.responseId), one);
	}

	const automatically = { mappingMode: 'autoMapInputData', value: null };

	test('the names are those of columns', async () => {
		const [first] = await shown();
		const shownNames = Object.keys(first);
		assert.deepEqual(shownNames.slice(0, names.length), names);
		for (const [index, [, column]] of OTHERS.entries()) {
			assert.match(String(shownNames[names.length + index]), column);
		}
		assert.deepEqual(shownNames.slice(names.length + OTHERS.length), ['responseId']);
	});

	test('Data Table', async () => {
		const items = await shown();
		const column = Object.keys(items[0]).map((name) => ({ name }));
		const table = { typeVersion: 1.1 };
		const create = { resource: 'table', operation: 'create', tableName: TABLE };
		const columns = { column };
		await run(node('Create', 'n8n-nodes-base.dataTable', { ...create, columns }, table));
		const condition = { keyName: 'responseId', keyValue: '={{ $json.responseId }}' };
		const filters = { conditions: [condition] };
		const upsert = { operation: 'upsert', ...MATCHED, filters, columns: automatically };
		const save = node('Save', 'n8n-nodes-base.dataTable', upsert, table);
		await run(responses(), save);
		await run(responses(), save);
		assertSaved(await readRows(rig.n8n.session, TABLE), items);
	});

	test('Postgres', { skip: missingPrograms() }, async () => {
		const folder = await mkdtemp(join(tmpdir(), 'form-responses-postgres-'));
		const server = await startPostgres(folder);
		try {
			const where = { host: '127.0.0.1', port: server.port, ssl: 'disable' };
			const data = { ...where, database: postgresDatabase, user: postgresUser, password: '-' };
			const draft = { name: 'Table', type: 'postgres', data };
			const credentials = { postgres: await rig.n8n.createCredential(draft) };
			const postgres = (name: string, parameters: Json) =>
				node(name, 'n8n-nodes-base.postgres', parameters, { typeVersion: 2.6, credentials });
			const query = (text: string) => postgres('Query', { operation: 'executeQuery', query: text });
			const items = await shown();
			const columns = Object.keys(items[0]).map((name) =>
				name === 'responseId'
					? '"responseId" text primary key'
					: `${name === 'order' ? '"order"' : name} text`,
			);
			await run(query(`create table ${TABLE} (${columns.join(', ')})`));
			const list = (value: string) => ({ __rl: true, mode: 'list', value });
			const mapping = { ...automatically, matchingColumns: ['responseId'] };
			const target = { schema: list('public'), table: list(TABLE), columns: mapping };
			const save = postgres('Save', { operation: 'upsert', ...target });
			await run(responses(), save);
			await run(responses(), save);
			assertSaved(await run(query(`select * from ${TABLE}`)), items);
		} finally {
			await server.stop();
			await rm(folder, { recursive: true, force: true });
		}
	});
});
