import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Item } from '../../../playground/n8n/types.mts';
import type { Form } from '../../../playground/service/client.mts';
import { useRig } from '../kit/real-n8n.mts';
import { byId } from '../kit/workflow-nodes.mts';

type Json = Record<string, unknown>;

const OLD = '2026-01-01T00:00:00.000Z';
const NEW = '2026-02-01T00:00:00.000Z';
const BETWEEN = '2026-01-15';
const FAR = '2026-03-01';

const value = '={{ $json.value }}';

const HIDDEN = { campaign: 'spring' };
const listForms = { resource: 'form', operation: 'getAll' };
const filteredForms = (name: string) => ({
	...listForms,
	returnAll: true,
	filters: { [name]: value },
});

/**
 * A field of an operation with an expression, its value for each of two items, and what each of these gives: of the
 * items that came of it, what is looked at, or their number.
 */
type Case = [
	field: string,
	Json,
	values: [unknown, unknown],
	gives: [unknown, unknown],
	seen?: (items: Item[]) => unknown,
];

const keysOf = ([item]: Item[]) => Object.keys(item!.json);
const titleOf = ([item]: Item[]) => item!.json.title ?? item!.json.formTitle;
const emailOf = ([item]: Item[]) => item!.json.respondentEmail;

describe('each item has its own value of each field, in a real n8n', () => {
	const rig = useRig();
	let forms: Form[];
	let ids: string[];
	before(async () => {
		await rig.service.reset();
		forms = [
			...(await rig.service.addForms({ title: 'First', updatedAt: OLD })),
			...(await rig.service.addForms({ title: 'Second', status: 'closed', updatedAt: NEW })),
		];
		const answers = { Name: 'Ada', Choice: ['A', 'B'] };
		ids = [];
		for (const [n, { id }] of forms.entries()) {
			const [response] = await rig.service.addResponses(id, {
				...{ answers, hiddenFields: HIDDEN, completedAt: n === 0 ? OLD : NEW },
				respondentEmail: `${n}@example.com`,
			});
			ids.push(response!.data.responseId);
		}
		await rig.service.addResponses(forms[0]!.id, {
			...{ answers, completedAt: NEW, respondentEmail: 'newest@example.com' },
		});
	});

	/** The items that each of the input items led to. */
	async function outputs(parameters: Json, values: unknown[]) {
		const inputs = values.map((value) => ({ value }));
		const items = await rig.actionOutput(parameters, inputs);
		return values.map((_, n) =>
			items.filter(({ pairedItem }) => (pairedItem as { item: number }).item === n),
		);
	}

	function cases(): Case[] {
		const [first, second] = forms.map(({ id }) => id) as [string, string];
		const [one, two] = ids as [string, string];
		const form = { resource: 'form', operation: 'get', formId: byId(value) };
		const getMany = { operation: 'getAll', responseLimit: 1, formId: byId(value) };
		const getNew = { operation: 'getNew', formId: byId(value) };
		const ofFirst = { operation: 'getAll', formId: byId(first) };
		const filtered = (name: string) => ({ ...ofFirst, filters: { [name]: value } });
		const get = { operation: 'get', responseId: one };
		const withOption = (name: string) => ({ ...get, options: { [name]: value } });
		const bothForms: [unknown, unknown] = [second, first];
		const titles: [unknown, unknown] = ['Second', 'First'];
		const emails: [unknown, unknown] = ['newest@example.com', '0@example.com'];
		const about = 'responseId formId formTitle respondentEmail completedAt'.split(' ');
		const simple = [...about, 'answers', 'hiddenFields'];
		const whole = ['event', 'createdAt', 'data'];
		const flat = ['Name', 'Choice', ...about, 'campaign'];
		const parts: [unknown, unknown] = [['metadata'], ['createdAt']];
		const answer = (name: string) => (items: Item[]) => (items[0]!.json.answers as Json)[name];
		return [
			['Form: Get, Form', form, bothForms, titles, titleOf],
			['Return All', { ...listForms, limit: 1, returnAll: value }, [true, false], [2, 1]],
			['Limit of forms', { ...listForms, limit: value }, [1, 2], [1, 2]],
			['Status', filteredForms('status'), ['closed', 'published'], titles, titleOf],
			['Title Contains', filteredForms('titleContains'), ['second', 'first'], titles, titleOf],
			['Updated After', filteredForms('updatedAfter'), [BETWEEN, FAR], [1, 0]],
			['Response: Get Many, Form', getMany, bothForms, titles, titleOf],
			['Limit of responses', { ...ofFirst, responseLimit: value }, [2, 1], [2, 1]],
			['Completed After', filtered('completedAfter'), [BETWEEN, '2025-01-01'], [1, 2]],
			['Completed Before', filtered('completedBefore'), [BETWEEN, FAR], [1, 2]],
			['Respondent Email', filtered('respondentEmail'), emails, emails, emailOf],
			['Response: Get New, Form', getNew, bothForms, titles, titleOf],
			['Response ID', { operation: 'get', responseId: value }, [two, one], titles, titleOf],
			['Simplify', { ...get, simplify: value }, [false, true], [whole, simple], keysOf],
			['Flatten Answers', withOption('flattenAnswers'), [true, false], [flat, simple], keysOf],
			[
				'Name Answers By',
				withOption('answerKeys'),
				['label', 'fieldId'],
				['Ada', undefined],
				answer('Name'),
			],
			[
				'Answer Values',
				withOption('answerValues'),
				['rawValue', 'value'],
				[['A', 'B'], 'A, B'],
				answer('Choice'),
			],
			['Include', withOption('include'), parts, parts, (items) => keysOf(items).slice(1)],
		];
	}

	test('in every operation that reads', async (t) => {
		const count = (items: Item[]) => items.length;
		for (const [field, parameters, values, gives, seen = count] of cases()) {
			await t.test(field, async () => {
				const all = await outputs(parameters, values);
				assert.deepEqual(all.map(seen), gives);
			});
		}
	});

	test('where hooks are made and deleted', async () => {
		const inputs = forms.map(({ id }, n) => ({ form: id, url: `https://example.com/${n}` }));
		const resource = 'hook';
		const create = { resource, operation: 'create', formId: byId('={{ $json.form }}') };
		const made = await rig.actionOutput({ ...create, targetUrl: '={{ $json.url }}' }, inputs);
		const hooks = made.map(({ json }) => json);
		assert.deepEqual(
			hooks.map(({ formId, targetUrl }) => ({ form: formId, url: targetUrl })),
			inputs,
		);
		await outputs(
			{ resource, operation: 'delete', hookId: value },
			hooks.map(({ id }) => id),
		);
		assert.deepEqual(await rig.service.hooks(), []);
	});
});
