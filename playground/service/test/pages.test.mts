import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { apiKey, eachWithPlayground, unknownId } from './playground.mts';

const fields = [
	{ id: 'name', label: 'Name', type: 'text', required: true },
	{ id: 'email', label: 'Email', type: 'email' },
	{ id: 'age', label: 'Age', type: 'number' },
	{ id: 'size', label: 'Size', type: 'choice', choices: ['S', 'M'] },
	{ id: 'tags', label: 'Tags', type: 'multi-choice', choices: ['a', 'b', 'c'] },
];

describe('Pages', () => {
	const context = eachWithPlayground();
	const open = (path: string) => context.playground.call<string>('GET', path);
	const submit = (path: string, values: Array<[string, string]>) =>
		context.playground.call<string>('POST', path, {
			body: new URLSearchParams(values).toString(),
			headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
		});
	const latest = async (formId: string) =>
		(await context.playground.api('GET', `/forms/${formId}/responses`, { token: apiKey })).body
			.data;

	test('/ lists the forms, page by page, each with its links', async () => {
		await context.playground.forms({ title: 'Form', count: 60 });
		const { id } = await context.playground.form({ title: 'Tea & <b>biscuits</b>' });
		const { body, headers } = await open('/');
		assert.match(headers.get('content-type') ?? '', /^text\/html/);
		assert.match(body, /Tea &amp; &lt;b&gt;biscuits&lt;\/b&gt;/);
		for (const path of [`/forms/${id}`, `/forms/${id}/responses`]) {
			assert.ok(body.includes(`href="${path}"`));
		}
		assert.doesNotMatch(body, /Form 60</);
		const [, older] = /href="(\/\?cursor=[^"]+)"/.exec(body) ?? [];
		assert.match((await open(older ?? '')).body, /Form 60</);
	});

	test('a form is filled in, its address giving hidden fields; the answers are shown', async () => {
		const { id } = await context.playground.form({ title: 'Survey', fields });
		const path = `/forms/${id}?campaign=spring&ref=a%20b`;
		const page = (await open(path)).body;
		for (const { id: name } of fields) assert.ok(page.includes(`name="${name}"`), name);
		assert.ok(page.includes(`action="${path.replace('&', '&amp;')}"`));
		const { status, headers } = await submit(path, [
			['name', 'Alex <i>'],
			['email', 'alex@example.com'],
			['age', '42'],
			['size', 'M'],
			['tags', 'a'],
			['tags', 'c'],
		]);
		assert.equal(status, 303);
		assert.match((await open(headers.get('location') ?? '')).body, /Alex &lt;i&gt;/);
		const [{ data }] = await latest(id);
		assert.equal(data.respondentEmail, 'alex@example.com');
		assert.deepEqual(data.hiddenFields, { campaign: 'spring', ref: 'a b' });
		assert.deepEqual(
			data.answers.map(({ fieldId, rawValue }: any) => [fieldId, rawValue]),
			[
				['name', 'Alex <i>'],
				['email', 'alex@example.com'],
				['age', 42],
				['size', 'M'],
				['tags', ['a', 'c']],
			],
		);
	});

	test('a submitted form is delivered', async () => {
		const { playground, token } = context;
		const { id } = await playground.form({ title: 'Survey', fields });
		const { body: hook } = await playground.subscribe(token, id, 'http://127.0.0.1:9/');
		await submit(`/forms/${id}`, [['name', 'Alex']]);
		const [delivery] = await playground.delivered();
		assert.equal(delivery!.hookId, hook.id);
	});

	test('what does not exist is a page that says so', async () => {
		for (const path of ['/nothing', `/forms/${unknownId}`, '/forms/abc/responses']) {
			const { status, body } = await open(path);
			assert.equal(status, 404, path);
			assert.match(body, /no such page/);
		}
		assert.match((await open('/style.css')).headers.get('content-type') ?? '', /^text\/css/);
	});
});
