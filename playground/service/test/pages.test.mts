import assert from 'node:assert/strict';
import { test } from 'node:test';
import { apiKey, sharedPlayground, unknownId } from './playground.mts';

const { playground, token } = await sharedPlayground();

const fields = [
	{ id: 'name', label: 'Name', type: 'text', required: true },
	{ id: 'email', label: 'Email', type: 'email' },
	{ id: 'age', label: 'Age', type: 'number' },
	{ id: 'size', label: 'Size', type: 'choice', choices: ['S', 'M'] },
	{ id: 'tags', label: 'Tags', type: 'multi-choice', choices: ['a', 'b', 'c'] },
];

/** What a browser asks for. */
const browser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

const textOf = (page: string) =>
	page
		.replace(/<[^>]+>/g, ' ')
		.replace(/\s+/g, ' ')
		.trim();
const rowsOf = (page: string) => page.split('<tr>').slice(2).map(textOf);

const open = (path: string) => playground.call<string>('GET', path, { headers: browser });
const submit = (path: string, values: Array<[string, string]>) =>
	playground.call<string>('POST', path, {
		body: new URLSearchParams(values).toString(),
		headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
	});
const latest = async (formId: string) =>
	(await playground.api('GET', `/forms/${formId}/responses`, { token: apiKey })).body.data;

test('/ lists the forms, page by page, each with its links', async () => {
	await playground.addForms({ title: 'Form', count: 60 });
	const { id } = (await playground.addForms({ title: 'Tea & <b>biscuits</b>' }))[0]!;
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
	const { id } = (await playground.addForms({ title: 'Survey', fields }))[0]!;
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
	const thanks = (await open(headers.get('location') ?? '')).body;
	assert.match(thanks, /Thank you/);
	assert.ok(thanks.includes(`href="${path.replace('&', '&amp;')}"`), 'the form once more');
	assert.doesNotMatch(thanks, /Alex/);
	const [, responses] = /href="([^"]+)">Responses to Survey/.exec(thanks) ?? [];
	assert.match((await open(responses ?? '')).body, /Alex &lt;i&gt;/);
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
	const { id } = (await playground.addForms({ title: 'Survey', fields }))[0]!;
	const { body: hook } = await playground.subscribe(token, id, 'http://127.0.0.1:9/');
	await submit(`/forms/${id}`, [['name', 'Alex']]);
	const [delivery] = await playground.delivered();
	assert.equal(delivery!.hookId, hook.id);
});

test('hooks and deliveries are pages that lead back, without keys; programs get JSON', async () => {
	const { id } = (await playground.addForms({ title: 'Survey', fields }))[0]!;
	const url = 'http://user:word@127.0.0.1:9/hook/1?key=secret&again=secret#secret';
	const { body: hook } = await playground.subscribe(token, id, url);
	const shown = 'http://127.0.0.1:9/hook/1?key=…&amp;again=…';
	assert.match((await open('/playground/deliveries')).body, /Nothing has been sent yet/);
	const [envelope] = await playground.addResponses(id);
	await playground.delivered();
	const pages = await Promise.all(['hooks', 'deliveries'].map((at) => open(`/playground/${at}`)));
	for (const { body } of pages) {
		assert.ok(body.includes(shown));
		assert.doesNotMatch(body, /secret|word/);
		assert.match(body, /href="\/">Forms/);
		assert.ok(body.includes(`href="/forms/${id}/responses`));
	}
	assert.ok(pages[0]!.body.includes(hook.id));
	assert.ok(pages[1]!.body.includes(envelope!.data.responseId));
	assert.deepEqual(
		(await playground.deliveries()).map(({ targetUrl }) => targetUrl),
		[url],
	);
});

test('deliveries come newest first, with attempts counted for each response', async () => {
	await playground.settings({ deliveryRetriesSeconds: [0.01] });
	const { id } = await playground.addForm('Survey');
	await playground.subscribe(token, id, 'http://127.0.0.1:9/');
	const [first] = await playground.addResponses(id);
	await playground.delivered(2);
	const [second] = await playground.addResponses(id);
	await playground.delivered(4);
	const rows = rowsOf((await open('/playground/deliveries')).body);
	const attempts = rows.map((row) => / attempt (\d), \d+ ms/.exec(row)![1]);
	assert.deepEqual(attempts, ['2', '1', '2', '1']);
	assert.match(rows[0]!, new RegExp(`UTC Survey ${second!.data.responseId} .*No answer`));
	assert.match(rows[3]!, new RegExp(`UTC Survey ${first!.data.responseId} `));
});

test('an answer to a delivery is a status; what was sent outlives its form', async () => {
	const { id } = await playground.addForm('Survey');
	await playground.subscribe(token, id, `${playground.url}/nothing`);
	await playground.addResponses(id);
	await playground.delivered();
	await playground.control('DELETE', `/forms/${id}`);
	const [row] = rowsOf((await open('/playground/deliveries')).body);
	assert.match(row!, /Removed form .*Status 404/);
});

test('what does not exist is a page that says so', async () => {
	for (const path of ['/nothing', `/forms/${unknownId}`, '/forms/abc/responses']) {
		const { status, body } = await open(path);
		assert.equal(status, 404, path);
		assert.match(body, /no such page/);
	}
	assert.match((await open('/style.css')).headers.get('content-type') ?? '', /^text\/css/);
});
