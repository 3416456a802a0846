import { FormResponsesTrigger } from '../../../nodes/FormResponses/FormResponsesTrigger.node';
import { optionsOf, shownCredentials, shownParameters } from '../../in-process/shown';

/** Names, defaults and choices on which saved workflows depend. */
const type = new FormResponsesTrigger();

test('the node', () => {
	expect(type.description).toMatchObject({
		name: 'formResponsesTrigger',
		displayName: 'Form Responses Trigger',
		version: 1,
		group: ['trigger'],
		inputs: [],
		outputs: ['main'],
	});
	expect(type.description.usableAsTool).toBeUndefined();
});

test('the webhook is answered on receipt', () => {
	const [webhook, ...others] = type.description.webhooks!;
	expect(webhook).toMatchObject({
		name: 'default',
		httpMethod: 'POST',
		path: 'webhook',
		responseMode: 'onReceived',
	});
	expect(others).toEqual([]);
});

test('takes deliveries, starts with n8n and shapes every run', () => {
	expect(Object.keys(type.webhookMethods.default)).toEqual(['checkExists', 'create', 'delete']);
	expect([typeof type.webhook, typeof type.trigger, typeof type.execute]).toEqual(
		Array(3).fill('function'),
	);
});

test.each([
	['oAuth2', 'formResponsesOAuth2Api'],
	['apiKey', 'formResponsesApi'],
])('authentication %s asks for the credential %s', (authentication, credential) => {
	expect(shownCredentials(type, { authentication })).toEqual([credential]);
});

test.each<[string, Record<string, unknown>]>([
	[
		'oAuth2',
		{
			authentication: 'oAuth2',
			formId: { mode: 'list', value: '' },
			testWith: 'new',
			simplify: true,
			options: {},
		},
	],
	[
		'apiKey',
		{
			authentication: 'oAuth2',
			formId: { mode: 'list', value: '' },
			pollInterval: 5,
			pollingNotice: '',
			simplify: true,
			options: {},
		},
	],
])('parameters with %s', (authentication, expected) => {
	const shown = [...shownParameters(type, { authentication }).values()];
	expect(Object.fromEntries(shown.map((property) => [property.name, property.default]))).toEqual(
		expected,
	);
});

test('a poll interval is at least a minute', () => {
	const { typeOptions } = shownParameters(type, { authentication: 'apiKey' }).get('pollInterval')!;
	expect(typeOptions).toEqual({ minValue: 1 });
});

test('options', () => {
	const options = shownParameters(type, {}, 'options');
	const defaults = [...options.values()].map((option) => [option.name, option.default]);
	expect(Object.fromEntries(defaults)).toEqual({
		answerKeys: 'label',
		answerValues: 'value',
		existing: false,
		flattenAnswers: false,
		include: [],
		whileInactive: 'skip',
		skipDuplicates: true,
		verifyDeliveries: false,
	});
	expect(optionsOf(options.get('whileInactive'))).toEqual(['process', 'skip']);
	expect(optionsOf(shownParameters(type, {}).get('testWith'))).toEqual(['latest', 'new']);
});
