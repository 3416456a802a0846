import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { columnName } from '../../../../nodes/FormResponses/answerNames';
import { DEFAULT_PARTS, toJson, type OutputOptions } from '../../../../nodes/FormResponses/output';
import type { Answer, ResponseEnvelope } from '../../../../nodes/FormResponses/transport/types';
import { anAnswer, aResponse, OWN_FIELDS, SIMPLIFIED } from '../../kit/samples';

const simplified: OutputOptions = {
	simplify: true,
	answerKeys: 'label',
	answerValues: 'value',
	flattenAnswers: false,
	include: DEFAULT_PARTS,
};

const jsonOf = (data: Partial<ResponseEnvelope['data']>, options: Partial<OutputOptions> = {}) =>
	toJson(aResponse(data), { ...simplified, ...options });

const answersOf = (answers: Answer[], options: Partial<OutputOptions> = {}) =>
	jsonOf({ answers }, options).answers as IDataObject;

test('simplified: what a workflow needs, answers by their label', () => {
	expect(jsonOf({})).toEqual(SIMPLIFIED);
	expect(jsonOf({ respondentEmail: null })).toEqual({ ...SIMPLIFIED, respondentEmail: null });
});

test('not simplified: the envelope as the API sent it', () => {
	const envelope = { ...aResponse(), addedLater: { by: 'the service' } };
	expect(toJson(envelope, { ...simplified, simplify: false })).toEqual(envelope);
});

test.each<[OutputOptions['answerKeys'], OutputOptions['answerValues'], IDataObject]>([
	['label', 'value', { Size: 'Large', Extras: 'Sauce, Cheese' }],
	['label', 'rawValue', { Size: 3, Extras: ['sauce', 'cheese'] }],
	['fieldId', 'value', { 'field-1': 'Large', 'field-2': 'Sauce, Cheese' }],
	['fieldId', 'rawValue', { 'field-1': 3, 'field-2': ['sauce', 'cheese'] }],
])('answers by %s with their %s', (answerKeys, answerValues, expected) => {
	const size = anAnswer({ label: 'Size', value: 'Large', rawValue: 3 });
	const extras = { label: 'Extras', value: 'Sauce, Cheese', rawValue: ['sauce', 'cheese'] };
	const answers = [size, anAnswer({ fieldId: 'field-2', ...extras })];
	expect(answersOf(answers, { answerKeys, answerValues })).toEqual(expected);
});

test.each<[string, string[], string[]]>([
	['two answers with one label', ['Name', 'Name'], ['Name', 'Name (2)']],
	['three of them', ['A', 'A', 'A'], ['A', 'A (2)', 'A (3)']],
	['a label that looks numbered', ['A (2)', 'A', 'A'], ['A (2)', 'A', 'A (3)']],
	['a label that looks numbered, later', ['A', 'A', 'A (2)'], ['A', 'A (3)', 'A (2)']],
	['two that look numbered', ['A (2)', 'A', 'A', 'A (2)'], ['A (2)', 'A', 'A (3)', 'A (2) (2)']],
	['an empty label', ['', ''], ['', ' (2)']],
	['emoji and right-to-left text', ['👍🏽', 'اسم', '👍🏽'], ['👍🏽', 'اسم', '👍🏽 (2)']],
	[
		'labels with a meaning in JavaScript',
		['__proto__', 'constructor', 'toString', '__proto__'],
		['__proto__', 'constructor', 'toString', '__proto__ (2)'],
	],
])('%s: all of them survive', (_, labels, keys) => {
	const answers = labels.map((label, index) => anAnswer({ label, value: `answer ${index}` }));
	const result = answersOf(answers);
	expect(Object.entries(result)).toEqual(keys.map((key, index) => [key, `answer ${index}`]));
	expect(Object.getPrototypeOf(result)).toBe(Object.prototype);
	expect(Object.keys(JSON.parse(JSON.stringify(result)) as object)).toEqual(keys);
});

test('20,000 answers with one label', () => {
	const count = 20_000;
	const answers = Array.from({ length: count }, (_, index) => anAnswer({ value: String(index) }));
	const result = answersOf(answers);
	expect(Object.keys(result)).toHaveLength(count);
	expect(result[`Name (${count})`]).toBe(String(count - 1));
});

describe('flattened', () => {
	const flat = { ...simplified, flattenAnswers: true };
	const flatOf = (data: Partial<ResponseEnvelope['data']>) => jsonOf(data, flat);

	test('answers are the first fields of the item, hidden fields the last', () => {
		const answers = [anAnswer({ label: 'Size', value: 'Large' }), anAnswer()];
		const expected = { Size: 'Large', Name: 'Robin', ...OWN_FIELDS, source: 'newsletter' };
		expect(Object.entries(flatOf({ answers }))).toEqual(Object.entries(expected));
	});

	test('an answer labelled hiddenFields keeps its name: each hidden field stands beside it', () => {
		const answers = [anAnswer({ label: 'hiddenFields' })];
		expect(Object.keys(flatOf({ answers }))).toContain('hiddenFields');
	});

	test.each(['responseId', 'completedAt', 'warning', 'error'])(
		'an answer labelled %s is numbered, and the field of that name stays',
		(label) => {
			const expected = { ...OWN_FIELDS, source: 'newsletter', [`${label} (2)`]: 'Robin' };
			expect(flatOf({ answers: [anAnswer({ label })] })).toEqual(expected);
		},
	);

	test.each<[string, unknown, object]>([
		[
			'named as an answer or a field of the item are numbered',
			{ formId: 'x', Name: 'y', error: 'z' },
			{ 'formId (2)': 'x', 'Name (2)': 'y', 'error (2)': 'z' },
		],
		[
			'that are unique keep their names',
			{ 'Name (2)': 'x', Name: 'y' },
			{ 'Name (2)': 'x', 'Name (3)': 'y' },
		],
		['that are null do no harm', null, {}],
		['that are missing do no harm', undefined, {}],
	])('hidden fields %s', (_, hiddenFields, expected) => {
		const json = flatOf({ hiddenFields: hiddenFields as never });
		expect(json).toEqual({ ...OWN_FIELDS, Name: 'Robin', ...expected });
	});

	test('an answer labelled metadata is numbered only where the metadata are included', () => {
		const data = { answers: [anAnswer({ label: 'metadata' })], metadata: { a: 1 } };
		expect(flatOf(data)).toEqual({ ...OWN_FIELDS, source: 'newsletter', metadata: 'Robin' });
		expect(jsonOf(data, { ...flat, include: ['metadata'] })).toEqual({
			metadata: { a: 1 },
			'metadata (2)': 'Robin',
		});
	});

	test('an answer labelled __proto__ is an ordinary field', () => {
		const json = flatOf({ answers: [anAnswer({ label: '__proto__' })] });
		expect(Object.entries(json)).toContainEqual(['__proto__', 'Robin']);
		expect(Object.getPrototypeOf(json)).toBe(Object.prototype);
	});
});

const added: OutputOptions['include'] = ['answerTypes', 'createdAt', 'fields', 'metadata'];
const include = [...DEFAULT_PARTS, ...added];

test('included: further parts beside the answers', () => {
	const data = { fields: { plan: 'pro' }, metadata: { device: 'phone' } };
	expect(jsonOf(data, { include })).toEqual({
		...jsonOf({}),
		...data,
		answerTypes: { Name: 'text' },
		createdAt: '2026-03-01T11:59:01.000Z',
	});
});

test.each([
	[false, ['Name', 'Name (2)', 'createdAt']],
	[true, ['Name', 'Name (2)', 'createdAt (2)']],
])('answer types have the names of the answers, flattened: %j', (flattenAnswers, names) => {
	const answers = ['Name', 'Name', 'createdAt'].map((label) => anAnswer({ label }));
	const json = jsonOf({ answers }, { flattenAnswers, include });
	expect(Object.keys(json.answerTypes as IDataObject)).toEqual(names);
	const answersOfIt = flattenAnswers ? json : (json.answers as IDataObject);
	expect(names.every((name) => answersOfIt[name] === 'Robin')).toBe(true);
});

test('an answer without a value keeps its number', () => {
	const answers = [anAnswer({ value: undefined }), anAnswer({ value: 'Sam' })];
	expect(JSON.stringify(answersOf(answers))).toBe('{"Name (2)":"Sam"}');
});

test.each<[string, unknown]>([
	['no list', 'Robin'],
	['missing', undefined],
	['null in the list', [anAnswer(), null]],
	['a label that is null', [anAnswer(), { ...anAnswer(), label: null }]],
	['a label that is a number', [{ ...anAnswer(), label: 7 }]],
])('answers that are not as documented leave the response as the API sent it: %s', (_, answers) => {
	const data = { answers: answers as Answer[] };
	expect(jsonOf(data)).toEqual(aResponse(data));
});

test('a label that is odd does not matter where answers are named by their field ID', () => {
	const answers = [{ ...anAnswer({ fieldId: 'f' }), label: null }] as unknown as Answer[];
	expect(answersOf(answers, { answerKeys: 'fieldId' })).toEqual({ f: 'Robin' });
});

test('an answer of an unknown type passes through', () => {
	const rawValue = { hologram: [1, { deep: true }] };
	const answer = anAnswer({ type: 'hologram', rawValue });
	expect(answersOf([answer], { answerValues: 'rawValue' })).toEqual({ Name: rawValue });
});

test.each<[Partial<OutputOptions>, string[]]>([
	[{ include: [] }, ['answers']],
	[{ include: ['completedAt', 'responseId'] }, ['responseId', 'completedAt', 'answers']],
	[{ include: ['hiddenFields'] }, ['answers', 'hiddenFields']],
	[{ include: ['warning'] }, ['answers']],
	[{ include: [], flattenAnswers: true }, ['Name', 'formId']],
	[{ include: ['formId'], flattenAnswers: true }, ['Name', 'formId (2)', 'formId']],
	[{ include: ['hiddenFields'], flattenAnswers: true }, ['Name', 'formId', 'source']],
])('with the options %j an item has the fields %j', (options, fields) => {
	const answers = [anAnswer(), anAnswer({ label: 'formId' })];
	expect(Object.keys(jsonOf({ answers }, options))).toEqual(fields);
});

test('a summary has each question with its answer on a line, whatever answers are named by', () => {
	const answers = [
		anAnswer({ label: 'Full name', value: 'Robin' }),
		anAnswer({ label: 'Message\nto us', value: 'One\r\n\r\ntwo\tthree ' }),
		anAnswer({ label: 'Phone', value: '' }),
		anAnswer({ label: 'Phone', value: undefined }),
		anAnswer({ label: 'Files', value: [{ toString: 1 }, 'b'] as never }),
	];
	const summary =
		'Full name: Robin\nMessage to us: One two three\nPhone:\nPhone:\nFiles: {"toString":1}, b';
	for (const answerKeys of ['label', 'fieldId', 'columnName'] as const) {
		expect(jsonOf({ answers }, { answerKeys, include: ['summary'] })).toMatchObject({ summary });
	}
});

describe('named as columns', () => {
	test('a long label ends with its field, also where the service names that by a number', () => {
		const answers = [anAnswer({ label: 'a'.repeat(70), fieldId: 12_345 as never })];
		const own = answersOf(answers, { answerKeys: 'columnName' });
		expect(Object.keys(own)).toEqual([`${'a'.repeat(57)}_12345`]);
	});

	const byColumn = { answerKeys: 'columnName' } as const;
	const columnsOf = (labels: string[], options: Partial<OutputOptions> = {}) =>
		Object.keys(
			answersOf(
				labels.map((label, index) => anAnswer({ label, fieldId: `f-${index}` })),
				{ ...byColumn, ...options },
			),
		);

	test.each([
		['equal ones are numbered', ['Name', 'name!', 'NAME'], ['name', 'name__2', 'name__3']],
		['a number is part of its label', ['Name', 'Name', 'Name 2'], ['name', 'name__2', 'name_2']],
		[
			'what the item or a Data Table has is taken',
			['Summary', 'ID', 'Created at', 'createdAt', 'formid', 'Answers'],
			['summary__2', 'id__2', 'created_at', 'createdat__2', 'formid__2', 'answers__2'],
		],
		[
			'another script is named by the field',
			['اسم', '👍🏽', 'Name'],
			['field_f_0', 'field_f_1', 'name'],
		],
		[
			'long ones end with their field',
			[`${'a'.repeat(59)} b c d`, `${'a'.repeat(59)} b c e`, 'a'.repeat(63)],
			[`${'a'.repeat(59)}_f_0`, `${'a'.repeat(59)}_f_1`, 'a'.repeat(63)],
		],
		[
			'equal long ones are numbered within 63 characters',
			Array(2).fill('a'.repeat(63)),
			['a'.repeat(63), `${'a'.repeat(60)}__2`],
		],
		[
			'what a database keeps for itself is taken',
			['xmin', 'Constructor'],
			['xmin__2', 'constructor__2'],
		],
	])('%s', (_, labels, columns) => {
		expect(columnsOf(labels)).toEqual(columns);
	});

	test('an item flattened for a table has the columns of answers and hidden fields, and what it includes', () => {
		const answers = [anAnswer({ label: 'Full name' }), anAnswer({ label: 'Source' })];
		const hiddenFields = { source: 'x', 'utm-source': 'y', 来源: 'z' };
		const options = { ...byColumn, flattenAnswers: true };
		const names = { full_name: 'Robin', source: 'Robin' };
		const hidden = { source__2: 'x', utm_source: 'y', field: 'z' };
		expect(jsonOf({ answers, hiddenFields }, options)).toEqual({
			...names,
			...OWN_FIELDS,
			...hidden,
		});
		const onlyId = { ...options, include: ['responseId' as const] };
		const { responseId } = OWN_FIELDS;
		expect(jsonOf({ answers, hiddenFields }, onlyId)).toEqual({ ...names, responseId });
	});

	test('a question has the same column whatever others were answered, unless they are equal', () => {
		const long = 'How satisfied are you with this part of our yearly conference: ';
		const known = ['Name', 'name 2', 'ID', 'Año', '名前', '年齢 (1-5)', '価格 (1-5)'];
		const label = fc.oneof(fc.constantFrom(...known, `${long}A`, `${long}B`), fc.string());
		const options = { selector: (one: string) => columnName(one, one), maxLength: 8 };
		fc.assert(
			fc.property(
				fc.uniqueArray(label, options),
				fc.infiniteStream(fc.boolean()),
				(labels, keep) => {
					const answers = labels.map((one, n) =>
						anAnswer({ label: one, fieldId: `f-${n}`, value: one }),
					);
					const all = answersOf(answers, byColumn);
					const some = answersOf(
						answers.filter(() => keep.next().value),
						byColumn,
					);
					expect(all).toMatchObject(some);
					expect(Object.keys(all)).toHaveLength(labels.length);
					for (const name of Object.keys(all)) expect(name).toMatch(/^[a-z][a-z0-9_]{0,62}$/);
				},
			),
		);
	});
});
