import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiKey, sharedPlayground, type FormPage } from './playground.mts';

const { playground, token } = await sharedPlayground();

const list = async (query = '') =>
	(await playground.api<FormPage>('GET', `/forms${query}`, { token: token })).body;
const titles = (page: FormPage) => page.data.map(({ title }) => title);
const latest = async (formId: string, query = '') => {
	const path = `/forms/${formId}/responses${query}`;
	return (await playground.api('GET', path, { token: apiKey })).body.data;
};

test('forms come most recently updated first', async () => {
	for (const [title, month] of Object.entries({ middle: 2, newest: 3, oldest: 1 })) {
		await playground.addForms({ title, updatedAt: `2026-0${month}-01T00:00:00Z` });
	}
	assert.deepEqual(titles(await list()), ['newest', 'middle', 'oldest']);
});

test('the cursors lead to every form once; the last page, though full, has none', async () => {
	const updatedAt = '2026-01-01T00:00:00Z';
	const made = await playground.addForms({ title: 'Form', count: 22 });
	const atOneInstant = [];
	for (const title of ['a', 'b', 'c']) {
		atOneInstant.unshift((await playground.addForms({ title, updatedAt }))[0]!);
	}
	const seen: object[] = [];
	let cursor: string | null = '';
	for (let page = 1; page <= 5; page++) {
		const { data, nextCursor }: FormPage = await list(`?limit=5${cursor && `&cursor=${cursor}`}`);
		seen.push(...data);
		cursor = nextCursor;
	}
	assert.equal(cursor, null);
	assert.deepEqual(seen, [...made, ...atOneInstant]);
});

test('a cursor outlives the form that it points at', async () => {
	const made = await playground.addForms({ title: 'Form', count: 4 });
	const { nextCursor } = await list('?limit=2');
	await playground.control('DELETE', `/forms/${made[1]!.id}`);
	assert.deepEqual(titles(await list(`?cursor=${nextCursor}`)), ['Form 3', 'Form 4']);
});

test('50,000 forms are made at once; 50 come where no limit is given', async () => {
	const forms = await playground.addForms({ title: 'Form', count: 50_000 });
	assert.equal(forms.length, 50_000);
	assert.equal((await list()).data.length, 50);
});

test('responses come newest first, those of this form only, 10 or up to 25', async () => {
	const [form, other] = await playground.addForms({ title: 'Form', count: 2 });
	const made = await playground.addResponses(form!.id, { count: 30 });
	await playground.addResponses(other!.id);
	const newest = made.toReversed();
	assert.deepEqual(await latest(form!.id), newest.slice(0, 10));
	assert.deepEqual(await latest(form!.id, '?limit=25'), newest.slice(0, 25));
	await playground.addResponses(form!.id, { completedAt: '2026-01-01T02:00:00+02:00' });
	assert.deepEqual(await latest(form!.id, '?limit=25'), newest.slice(0, 25));
});

test('answers by label: texts, and the values as they are', async () => {
	const fields = [{ id: 'f1', label: 'Name' }];
	const { id } = (await playground.addForms({ title: 'Survey', fields }))[0]!;
	const answers = { Name: 'Alex', Age: 42, Colours: ['red', 'blue'] };
	const metadata = { device: { type: 'phone' } };
	await playground.addResponses(id, { answers, metadata, respondentEmail: null });
	const { data } = (await latest(id))[0];
	assert.deepEqual(
		data.answers.map(({ fieldId: _, ...answer }: any) => Object.values(answer)),
		[
			['Name', 'text', 'Alex', 'Alex'],
			['Age', 'number', '42', 42],
			['Colours', 'multi-choice', 'red, blue', ['red', 'blue']],
		],
	);
	assert.equal(data.answers[0].fieldId, 'f1');
	assert.deepEqual(data.fields, { Name: 'Alex', Age: '42', Colours: 'red, blue' });
	assert.deepEqual([data.metadata, data.respondentEmail], [metadata, null]);
});

test('whole answers pass as they are: an unknown type, one label twice', async () => {
	const answers = [
		{ fieldId: 'a', label: 'Name', type: 'hologram', value: 'one', rawValue: { deep: [1] } },
		{ fieldId: 'b', label: 'Name', type: 'text', value: 'two', rawValue: null },
	];
	const { id } = await playground.addForm('Survey');
	await playground.addResponses(id, { answers });
	assert.deepEqual((await latest(id))[0].data.answers, answers);
});

test('a label such as __proto__ is one like any other', async () => {
	const body = '{"answers":{"__proto__":"x","n":5},"hiddenFields":{"__proto__":"y"}}';
	const { id } = await playground.addForm('Survey');
	await playground.call('POST', `/playground/forms/${id}/responses`, { body });
	const { fields, hiddenFields } = (await latest(id))[0].data;
	assert.equal(JSON.stringify(fields), '{"__proto__":"x","n":"5"}');
	assert.equal(JSON.stringify(hiddenFields), '{"__proto__":"y"}');
});

test('without answers there are samples for the fields of the form', async () => {
	const types = ['email', 'choice', 'multi-choice', 'number', 'text'];
	const fields = types.map((type) => ({ label: type, type, choices: ['a', 'b'] }));
	const { id } = (await playground.addForms({ title: 'Survey', fields }))[0]!;
	const [envelope] = await playground.addResponses(id);
	const { answers, respondentEmail } = envelope!.data;
	assert.equal(answers.map(({ type }) => type).join(), types.join());
	assert.match(respondentEmail ?? '', /@example\.com$/);
});

test('no two events have one time, and times only grow', async () => {
	const { id } = await playground.addForm('Survey');
	const times: string[] = [];
	for (let n = 0; n < 5; n++) {
		const made = await playground.addResponses(id, { count: 3 });
		times.push(...made.map(({ data }) => data.completedAt));
		times.push((await playground.subscribe(token, id, 'http://127.0.0.1:9/')).body.createdAt);
	}
	assert.deepEqual(times, [...new Set(times)].toSorted());
});

test('a removed form takes its responses and hooks along', async () => {
	const { id } = await playground.addForm('Survey');
	const [envelope] = await playground.addResponses(id);
	await playground.subscribe(token, id, 'http://127.0.0.1:9/');
	await playground.control('DELETE', `/forms/${id}`);
	assert.deepEqual(await playground.hooks(), []);
	const path = `/responses/${envelope!.data.responseId}`;
	assert.equal((await playground.api('GET', path, { token })).status, 404);
});
