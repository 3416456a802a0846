import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { apiKey, startPlayground, unknownId, type Playground } from './playground.mts';
import { startReceiver } from './receiver.mts';
import { until } from './until.mts';

const fields = [
	{ id: 'name', label: 'Name', type: 'text', required: true },
	{ id: 'email', label: 'Email', type: 'email' },
	{ id: 'age', label: 'Age', type: 'number' },
	{ id: 'size', label: 'Size', type: 'choice', choices: ['S', 'M'] },
	{ id: 'tags', label: 'Tags', type: 'multi-choice', choices: ['a', 'b', 'c'] },
];

describe('Pages', () => {
	let playground: Playground;
	before(async () => {
		playground = await startPlayground();
	});
	beforeEach(() => playground.reset());
	after(() => playground.close());

	const open = (path: string) => playground.call<string>('GET', path);
	const submit = (path: string, values: Array<[string, string]>) =>
		playground.call<string>('POST', path, {
			body: new URLSearchParams(values).toString(),
			headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
		});
	const latest = async (formId: string) =>
		(await playground.api('GET', `/forms/${formId}/responses`, { token: apiKey })).body.data;

	test('/ lists the forms, with links to fill them in and to their responses', async () => {
		const { id } = await playground.form({ title: 'Tea & <b>biscuits</b>' });
		const { status, headers, body } = await open('/');
		assert.equal(status, 200);
		assert.match(headers.get('content-type') ?? '', /^text\/html/);
		assert.match(body, /Tea &amp; &lt;b&gt;biscuits&lt;\/b&gt;/);
		assert.ok(body.includes(`href="/forms/${id}"`));
		assert.ok(body.includes(`href="/forms/${id}/responses"`));
	});

	test('/ leads on to older forms', async () => {
		await playground.forms({ title: 'Form', count: 60 });
		const { body } = await open('/');
		assert.doesNotMatch(body, /Form 60</);
		const [, older] = /href="(\/\?cursor=[^"]+)"/.exec(body) ?? [];
		assert.match((await open(older ?? '')).body, /Form 60</);
	});

	test('a form is filled in with a plain HTML form post, and thanks are given', async () => {
		const { id } = await playground.form({ title: 'Survey', fields });
		const page = await open(`/forms/${id}`);
		for (const name of ['name', 'email', 'age', 'size', 'tags']) {
			assert.ok(page.body.includes(`name="${name}"`), name);
		}
		const { status, headers } = await submit(`/forms/${id}`, [
			['name', 'Alex <i>'],
			['email', 'alex@example.com'],
			['age', '42'],
			['size', 'M'],
			['tags', 'a'],
			['tags', 'c'],
		]);
		assert.equal(status, 303);
		assert.match((await open(headers.get('location') ?? '')).body, /Thank you/);

		const [envelope] = await latest(id);
		assert.equal(envelope.data.respondentEmail, 'alex@example.com');
		assert.deepEqual(
			envelope.data.answers.map(({ fieldId, label, type, value, rawValue }: any) => [
				fieldId,
				label,
				type,
				value,
				rawValue,
			]),
			[
				['name', 'Name', 'text', 'Alex <i>', 'Alex <i>'],
				['email', 'Email', 'email', 'alex@example.com', 'alex@example.com'],
				['age', 'Age', 'number', '42', 42],
				['size', 'Size', 'choice', 'M', 'M'],
				['tags', 'Tags', 'multi-choice', 'a, c', ['a', 'c']],
			],
		);
	});

	test('what is missing or wrong is shown at the form, nothing is stored, the rest is kept', async () => {
		const { id } = await playground.form({ title: 'Survey', fields });
		const { status, body } = await submit(`/forms/${id}`, [
			['email', 'nobody'],
			['age', '7'],
			['size', 'XXL'],
		]);
		assert.equal(status, 400);
		assert.match(body, /Please fill in this field/);
		assert.match(body, /not an email address/);
		assert.match(body, /Choose one of the options/);
		assert.match(body, /value="7"/);
		assert.deepEqual(await latest(id), []);
	});

	test('parameters of the address become hidden fields', async () => {
		const { id } = await playground.form({ title: 'Survey', fields });
		const page = await open(`/forms/${id}?campaign=spring&ref=a%20b`);
		assert.ok(page.body.includes(`action="/forms/${id}?campaign=spring&amp;ref=a%20b"`));
		await submit(`/forms/${id}?campaign=spring&ref=a%20b`, [['name', 'Alex']]);
		const [envelope] = await latest(id);
		assert.deepEqual(envelope.data.hiddenFields, { campaign: 'spring', ref: 'a b' });
	});

	test('a submitted form is delivered, and the delivery log shows it with the query masked', async () => {
		const receiver = await startReceiver();
		const { id } = await playground.form({ title: 'Survey', fields });
		const target = `${receiver.url}/webhook/1?token=very-secret`;
		const { body: hook } = await playground.subscribe(await playground.token(), id, target);
		await submit(`/forms/${id}`, [['name', 'Alex']]);
		const [delivery] = await until(
			() => playground.deliveries(id),
			({ length }) => length > 0,
		);
		receiver.close();
		const log = (await open('/deliveries')).body;
		for (const shown of [
			hook.id,
			delivery?.responseId ?? '',
			`${receiver.url}/webhook/1?…`,
			'200',
		]) {
			assert.ok(log.includes(shown), shown);
		}
		const hooks = (await open('/hooks')).body;
		assert.ok(hooks.includes(hook.id));
		assert.doesNotMatch(log + hooks, /very-secret/);
	});

	test('/forms/{id}/responses shows the answers, newest first', async () => {
		const { id } = await playground.form({ title: 'Survey', fields });
		await playground.respond(id, { answers: { Name: 'First one' } });
		await playground.respond(id, { answers: { Name: '<script>Second</script>' } });
		const { body } = await open(`/forms/${id}/responses`);
		assert.ok(body.indexOf('&lt;script&gt;Second') < body.indexOf('First one'));
		assert.doesNotMatch(body, /<script>/);
	});

	test('what does not exist is a page that says so, with status 404', async () => {
		for (const path of ['/nothing', `/forms/${unknownId}`, '/forms/abc/responses']) {
			const { status, body } = await open(path);
			assert.equal(status, 404, path);
			assert.match(body, /no such page/);
		}
	});

	test('the stylesheet is served', async () => {
		const { status, headers } = await open('/style.css');
		assert.equal(status, 200);
		assert.match(headers.get('content-type') ?? '', /^text\/css/);
	});
});
