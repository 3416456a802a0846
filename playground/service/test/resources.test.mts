import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { apiKey, startPlayground, type Playground } from './playground.mts';

const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

describe('Resources and their fields', () => {
	let playground: Playground;
	let token: string;
	before(async () => {
		playground = await startPlayground();
		token = await playground.token();
	});
	after(() => playground.close());

	async function envelopeOf(request: object) {
		const { id } = await playground.form({
			title: 'Survey',
			fields: [{ label: 'Name', id: 'f1' }],
		});
		await playground.respond(id, request);
		const { body } = await playground.api('GET', `/forms/${id}/responses`, { token });
		return { formId: id, envelope: body.data[0] };
	}

	test('Workspace has the strings id, name and slug', async () => {
		const { body } = await playground.api('GET', '/me', { token });
		for (const key of ['id', 'name', 'slug']) assert.equal(typeof body.workspace[key], 'string');
	});

	test('user is null when the token is a Workspace API key, an object for OAuth tokens', async () => {
		const withKey = await playground.api('GET', '/me', { token: apiKey });
		const withOAuth = await playground.api('GET', '/me', { token });
		assert.equal(withKey.body.user, null);
		assert.deepEqual(Object.keys(withOAuth.body.user).sort(), ['email', 'name']);
	});

	test('Form has id, title, status, createdAt and updatedAt', async () => {
		const { id } = await playground.form({ title: 'Überblick 🙂', status: 'some_new_state' });
		const { body } = await playground.api('GET', '/forms', { token });
		const form = body.data.find((one: { id: string }) => one.id === id);
		assert.deepEqual(Object.keys(form).sort(), ['createdAt', 'id', 'status', 'title', 'updatedAt']);
		assert.equal(form.title, 'Überblick 🙂');
		assert.equal(form.status, 'some_new_state');
		assert.match(form.createdAt, dateTime);
		assert.match(form.updatedAt, dateTime);
	});

	test('a Response envelope holds event response.completed, createdAt and data', async () => {
		const { envelope } = await envelopeOf({});
		assert.deepEqual(Object.keys(envelope).sort(), ['createdAt', 'data', 'event']);
		assert.equal(envelope.event, 'response.completed');
		assert.match(envelope.createdAt, dateTime);
	});

	test('data names the form and the response, and says when it was completed', async () => {
		const { formId, envelope } = await envelopeOf({ completedAt: '2026-01-02T03:04:05+02:00' });
		assert.equal(envelope.data.formId, formId);
		assert.equal(envelope.data.formTitle, 'Survey');
		assert.equal(envelope.data.completedAt, '2026-01-02T01:04:05.000Z');
	});

	test('respondentEmail is a string or null', async () => {
		const given = await envelopeOf({ respondentEmail: 'someone@example.com' });
		assert.equal(given.envelope.data.respondentEmail, 'someone@example.com');
		const none = await envelopeOf({ respondentEmail: null });
		assert.equal(none.envelope.data.respondentEmail, null);
	});

	test('answers have fieldId, label, type and value as strings, rawValue as it is', async () => {
		const { envelope } = await envelopeOf({
			answers: { Name: 'Alex', Age: 42, Colours: ['red', 'blue'] },
		});
		const [name, age, colours] = envelope.data.answers;
		assert.deepEqual(name, {
			fieldId: 'f1',
			label: 'Name',
			type: 'text',
			value: 'Alex',
			rawValue: 'Alex',
		});
		assert.deepEqual([age.value, age.rawValue], ['42', 42]);
		assert.deepEqual([colours.value, colours.rawValue], ['red, blue', ['red', 'blue']]);
	});

	test('answers of an unknown type and with one label twice pass through', async () => {
		const answers = [
			{ fieldId: 'a', label: 'Name', type: 'hologram', value: 'one', rawValue: { deep: [1] } },
			{ fieldId: 'b', label: 'Name', type: 'text', value: 'two', rawValue: null },
		];
		const { envelope } = await envelopeOf({ answers });
		assert.deepEqual(envelope.data.answers, answers);
	});

	test('fields and hiddenFields map strings to strings, __proto__ too', async () => {
		const body = '{"answers":{"__proto__":"x","n":5},"hiddenFields":{"__proto__":"y","ref":"z"}}';
		const { id } = await playground.form();
		await playground.call('POST', `/playground/forms/${id}/responses`, { body });
		const { body: list } = await playground.api('GET', `/forms/${id}/responses`, { token });
		const { fields, hiddenFields } = list.data[0].data;
		assert.deepEqual(Object.entries(fields), [
			['__proto__', 'x'],
			['n', '5'],
		]);
		assert.deepEqual(Object.entries(hiddenFields), [
			['__proto__', 'y'],
			['ref', 'z'],
		]);
	});

	test('metadata is an object with any keys', async () => {
		const { envelope } = await envelopeOf({ metadata: { device: { type: 'phone' }, seconds: 12 } });
		assert.deepEqual(envelope.data.metadata, { device: { type: 'phone' }, seconds: 12 });
	});

	test('Hook has id, formId, targetUrl and createdAt', async () => {
		const { id } = await playground.form();
		const { body } = await playground.subscribe(token, id, 'https://hooks.example.com/a?b=c');
		assert.deepEqual(Object.keys(body).sort(), ['createdAt', 'formId', 'id', 'targetUrl']);
		assert.equal(body.formId, id);
		assert.equal(body.targetUrl, 'https://hooks.example.com/a?b=c');
		assert.match(body.createdAt, dateTime);
	});

	test('scope is a string: a scope name, several joined by blanks', async () => {
		const one = await playground.api('GET', '/me', { token: await playground.token('forms:read') });
		assert.equal(one.body.scope, 'forms:read');
		const all = await playground.api('GET', '/me', { token });
		assert.equal(all.body.scope, 'forms:read responses:read hooks:write');
	});
});
