import * as shapes from '../../../../../nodes/FormResponses/transport/shapes';
import type { Shape } from '../../../../../nodes/FormResponses/transport/types';
import * as samples from '../../../kit/samples';

const { identifiedResponse, isUuid, noBody } = shapes;
const { aForm, aHook, anIdentity, aResponse, FORM_ID, OTHER_FORM_ID } = samples;

const NOT_OBJECTS = [undefined, null, '', 'text', 7, true, [], [{}]];

const withData = (data: Record<string, unknown>) => aResponse(data as never);

test('a UUID', () => {
	const others = ['../me', `${FORM_ID} `, `${FORM_ID}/x`, FORM_ID.slice(1), 7, null];
	expect([FORM_ID, FORM_ID.toUpperCase()].filter(isUuid)).toHaveLength(2);
	expect(others.filter(isUuid)).toEqual([]);
});

const { responseWith } = shapes;

test.each<[string, unknown]>([
	['as documented', aResponse()],
	['of another event', { ...aResponse(), event: 'response.deleted' }],
	['without a time', { event: 'response.completed', data: aResponse().data }],
	['of unknown fields', withData({ answers: [null], fields: [], hiddenFields: null })],
	['with its ID in capitals', withData({ responseId: samples.RESPONSE_ID.toUpperCase() })],
])('a response %s is the one that was asked for', (_, value) => {
	expect(responseWith(samples.RESPONSE_ID)(value)).toBeUndefined();
	expect(identifiedResponse(value)).toBeUndefined();
});

test('another response is not', () => {
	expect(responseWith(FORM_ID)(aResponse())).toBe('data.responseId');
});

test.each<[unknown, string]>([
	...NOT_OBJECTS.map((value): [unknown, string] => [value, '']),
	[{ event: 'response.completed', createdAt: '2026-01-01T00:00:00Z' }, 'data'],
	[withData({ formId: '../me' }), 'data.formId'],
	[withData({ responseId: '1' }), 'data.responseId'],
	[withData({ completedAt: '' }), 'data.completedAt'],
	[withData({ completedAt: 7 }), 'data.completedAt'],
])('the response envelope %j is not identified, because of "%s"', (value, place) => {
	expect(identifiedResponse(value)).toBe(place);
	expect(responseWith(samples.RESPONSE_ID)(value)).toBe(place);
});

const oddForms: Array<[unknown, string]> = [
	[{ data: [aForm()] }, 'nextCursor'],
	[{ data: {}, nextCursor: null }, 'data'],
	[{ data: [null], nextCursor: null }, 'data[0]'],
	[{ data: [{ ...aForm(), id: '1' }], nextCursor: null }, 'data[0].id'],
	[{ data: [], nextCursor: 7 }, 'nextCursor'],
	[{ data: [aForm()], nextCursor: '' }, 'nextCursor'],
	[{ data: [], nextCursor: 'a' }, 'nextCursor'],
];
const oddResponses: Array<[unknown, string]> = [
	[{}, 'data'],
	[{ data: null }, 'data'],
	[{ data: [{}] }, 'data[0].data'],
	[{ data: [aResponse({ formId: OTHER_FORM_ID })] }, 'data[0].data.formId'],
	[{ data: [withData({ responseId: 1 }), null] }, 'data[0].data.responseId'],
];
const oddHooks: Array<[unknown, string]> = [
	[{ ...aHook(), id: '' }, 'id'],
	[{ ...aHook(), formId: 7 }, 'formId'],
	[aHook({ formId: OTHER_FORM_ID }), 'formId'],
	[{ ...aHook(), createdAt: '' }, 'createdAt'],
];
const oddIdentities: Array<[unknown, string]> = [
	[{}, 'workspace'],
	[{ ...anIdentity(), user: undefined }, 'user'],
	[{ ...anIdentity(), scope: 7 }, 'scope'],
];
const someForms = [null, { data: {} }, { ...aForm(), title: null, status: 7, createdAt: '' }];
const goodForms = [
	{ data: someForms, nextCursor: 'next' },
	{ data: [], nextCursor: null },
];
const goodResponses = [{ data: [null, { data: {} }, aResponse()] }, { data: [] }];
const ofForm = FORM_ID.toUpperCase();

test.each<[string, Shape, good: unknown[], odd: Array<[unknown, string]>]>([
	['a page of forms', shapes.formPage, goodForms, oddForms],
	['a list of responses', shapes.responseList(ofForm), goodResponses, oddResponses],
	['a hook', shapes.hookOf(ofForm), [aHook({ targetUrl: 'HTTPS://example.com:443/' })], oddHooks],
	[
		'a token identity',
		shapes.tokenIdentity,
		[anIdentity(), anIdentity({ user: null })],
		oddIdentities,
	],
])('%s', (_, shape, good, odd) => {
	for (const value of good) expect(shape(value)).toBeUndefined();
	for (const value of NOT_OBJECTS) expect([value, shape(value)]).toEqual([value, '']);
	for (const [value, place] of odd) expect([value, shape(value)]).toEqual([value, place]);
});

test('no body', () => {
	expect([undefined, null, ''].map((body) => noBody(body))).toEqual(Array(3).fill(undefined));
	expect([{}, 'ok', 0].map((body) => noBody(body))).toEqual(['', '', '']);
});
