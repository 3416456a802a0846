import {
	isFormPage,
	isHook,
	isNoBody,
	isResponseEnvelope,
	isResponseList,
	isTokenIdentity,
	isUuid,
} from '../../../../nodes/FormResponses/transport/shapes';
import { aForm, aHook, anAnswer, anIdentity, aResponse, FORM_ID } from '../../../samples';

const NOT_OBJECTS = [undefined, null, '', 'text', 7, true, [], [{}]];

const withData = (data: Record<string, unknown>) => ({
	...aResponse(),
	data: { ...aResponse().data, ...data },
});

test.each([FORM_ID, FORM_ID.toUpperCase()])('%s is a UUID', (value) => {
	expect(isUuid(value)).toBe(true);
});

test.each(['', 'a', '../me', `${FORM_ID} `, `${FORM_ID}/x`, FORM_ID.slice(1), 7, null, undefined])(
	'%j is no UUID',
	(value) => {
		expect(isUuid(value)).toBe(false);
	},
);

describe('a response envelope', () => {
	test.each<[string, unknown]>([
		['as documented', aResponse()],
		['without email', withData({ respondentEmail: null })],
		['without answers', withData({ answers: [] })],
		['of another event', { ...aResponse(), event: 'response.deleted' }],
		['with more than is documented', { ...aResponse(), version: 2 }],
		['with an answer of an unknown type', withData({ answers: [anAnswer({ type: 'hologram' })] })],
		['with a number as value', withData({ answers: [{ ...anAnswer(), value: 7 }] })],
		['with an answer that has no raw value', withData({ answers: [{ fieldId: 'f', label: 'l' }] })],
	])('%s is one', (_, value) => {
		expect(isResponseEnvelope(value)).toBe(true);
	});

	test.each<[string, unknown]>([
		...NOT_OBJECTS.map((value): [string, unknown] => [JSON.stringify(value), value]),
		['without data', { event: 'response.completed', createdAt: '2026-01-01T00:00:00Z' }],
		['without createdAt', { event: 'response.completed', data: aResponse().data }],
		['with createdAt that is no date', { ...aResponse(), createdAt: 'yesterday' }],
		['with a form id that is no UUID', withData({ formId: '../me' })],
		['with a response id that is no UUID', withData({ responseId: '1' })],
		['with a title that is a number', withData({ formTitle: 7 })],
		['with an email that is a number', withData({ respondentEmail: 7 })],
		['with completedAt that is no date', withData({ completedAt: '' })],
		['with answers that are no list', withData({ answers: {} })],
		['with answers that are missing', withData({ answers: undefined })],
		['with an answer that is null', withData({ answers: [null] })],
		['with an answer without label', withData({ answers: [{ fieldId: 'f' }] })],
		['with fields that are a list', withData({ fields: [] })],
		['with hidden fields that are null', withData({ hiddenFields: null })],
		['with metadata that is text', withData({ metadata: 'x' })],
	])('%s is none', (_, value) => {
		expect(isResponseEnvelope(value)).toBe(false);
	});
});

test.each<[string, (value: unknown) => boolean, unknown, unknown[]]>([
	[
		'a page of forms',
		isFormPage,
		{ data: [aForm()], nextCursor: null },
		[
			{ data: [aForm()] },
			{ data: {}, nextCursor: null },
			{ data: [null], nextCursor: null },
			{ data: [{ ...aForm(), updatedAt: 7 }], nextCursor: null },
			{ data: [], nextCursor: 7 },
		],
	],
	[
		'a list of responses',
		isResponseList,
		{ data: [aResponse()] },
		[{}, { data: null }, { data: [{}] }],
	],
	[
		'a hook',
		isHook,
		aHook(),
		[
			{ ...aHook(), id: '' },
			{ ...aHook(), formId: 7 },
			{ ...aHook(), createdAt: '' },
		],
	],
	[
		'a token identity',
		isTokenIdentity,
		anIdentity({ user: null }),
		[{}, { ...anIdentity(), user: undefined }, { ...anIdentity(), scope: 7 }],
	],
])('%s', (_, isBody, good, bad) => {
	expect(isBody(good)).toBe(true);
	for (const value of [...NOT_OBJECTS, ...bad])
		expect([value, isBody(value)]).toEqual([value, false]);
});

test('no body', () => {
	expect([undefined, null, ''].map(isNoBody)).toEqual([true, true, true]);
	expect([{}, 'ok', 0].map(isNoBody)).toEqual([false, false, false]);
});
