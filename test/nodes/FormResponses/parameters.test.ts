import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import {
	readAuthentication,
	readFormId,
	readId,
	readOutputOptions,
	readOutputOptionsLeniently,
	readBoolean,
	readWholeNumber,
} from '../../../nodes/FormResponses/parameters';
import { FORM_ID } from '../../samples';

const node: INode = {
	id: 'node-1',
	name: 'Forms',
	type: 'n8n-nodes-form-responses.formResponses',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** A context in which every item has the same parameters. */
const contextWith = (parameters: Record<string, unknown>, timezone = 'UTC') => {
	const context: Partial<IExecuteFunctions> = {
		getNode: () => node,
		getTimezone: () => timezone,
		getNodeParameter: ((name: string) =>
			parameters[name] as IDataObject) as IExecuteFunctions['getNodeParameter'],
	};
	return context as IExecuteFunctions;
};

function errorOf(read: () => unknown): NodeOperationError {
	try {
		read();
	} catch (error) {
		expect(error).toBeInstanceOf(NodeOperationError);
		return error as NodeOperationError;
	}
	throw new NodeOperationError(node, 'It did not throw');
}

const NOT_IDS: Array<[unknown, string]> = [
	['', 'is empty'],
	['   ', 'is empty'],
	[undefined, 'is empty'],
	[null, 'is empty'],
	['../me', 'is "../me"'],
	['a/b', 'is "a/b"'],
	[7, 'is 7'],
	[{ id: 1 }, 'is {"id":1}'],
	[`${FORM_ID}/../me`, 'is "11111111'],
	['x'.repeat(10_000), `is "${'x'.repeat(60)}…"`],
];

describe('an id', () => {
	test.each([FORM_ID, ` ${FORM_ID}\n`, FORM_ID.toUpperCase()])('%j', (responseId) => {
		expect(readId(contextWith({ responseId }), 'responseId', 'Response ID')).toBe(FORM_ID);
	});

	test.each(NOT_IDS)('%j is refused by name', (responseId, got) => {
		const { message } = errorOf(() =>
			readId(contextWith({ responseId }), 'responseId', 'Response ID', 3),
		);
		expect(message).toContain(`The parameter "Response ID" ${got}`);
		expect(message).toMatch(/Enter a UUID such as/);
		expect(message.length).toBeLessThan(250);
	});

	test('the error tells which item it was', () => {
		const { context } = errorOf(() => readId(contextWith({ id: 'x' }), 'id', 'ID', 3));
		expect(context.itemIndex).toBe(3);
	});
});

describe('the form', () => {
	test.each<[string, unknown]>([
		['list', FORM_ID],
		['id', ` ${FORM_ID} `],
		['id', FORM_ID.toUpperCase()],
		['url', `https://forms.example.com/forms/${FORM_ID}/edit`],
		['url', `https://forms.example.com/${FORM_ID}/responses/22222222-2222-4222-8222-222222222222`],
		['url', FORM_ID],
	])('by %s: %j', (mode, value) => {
		expect(readFormId(contextWith({ formId: { mode, value } }))).toBe(FORM_ID);
	});

	test('from an expression that gives the id itself', () => {
		expect(readFormId(contextWith({ formId: FORM_ID }))).toBe(FORM_ID);
	});

	test.each<[string, unknown]>([
		...['list', 'id', 'url'].flatMap((mode) =>
			NOT_IDS.slice(0, 7).map(([value]): [string, unknown] => [mode, value]),
		),
		['id', `https://forms.example.com/forms/${FORM_ID}`],
		['url', 'https://forms.example.com/forms/contact'],
	])('by %s: %j is refused by name', (mode, value) => {
		const { message } = errorOf(() => readFormId(contextWith({ formId: { mode, value } })));
		expect(message).toMatch(
			/^The parameter "Form" is .*Choose a form from the list, or enter its ID/s,
		);
	});
});

describe('a whole number', () => {
	const range = { min: 1, max: 25 };
	const read = (responseLimit: unknown, limits = range) =>
		readWholeNumber(contextWith({ responseLimit }), 'responseLimit', 'Limit', limits);

	test.each([1, 10, 25])('%d', (value) => {
		expect(read(value)).toBe(value);
	});

	test('as text, as a language model may give it', () => {
		expect(read(' 5 ')).toBe(5);
	});

	test.each<[unknown, string]>([
		[0, 'is 0'],
		['26', 'is "26"'],
		[' ', 'is empty'],
		[26, 'is 26'],
		[-1, 'is -1'],
		[1.5, 'is 1.5'],
		[NaN, 'is NaN'],
		[Infinity, 'is Infinity'],
		['ten', 'is "ten"'],
		['', 'is empty'],
		[null, 'is empty'],
		[undefined, 'is empty'],
		[[5], 'is [5]'],
	])('%p is refused by name', (value, got) => {
		expect(errorOf(() => read(value)).message).toBe(
			`The parameter "Limit" ${got}. Enter a whole number from 1 to 25.`,
		);
	});

	test('without an upper limit', () => {
		expect(read(1_000_000, { min: 1, max: Infinity })).toBe(1_000_000);
		expect(errorOf(() => read(0, { min: 1, max: Infinity })).message).toMatch(/of at least 1\.$/);
	});
});

describe('a switch', () => {
	const readIt = (returnAll: unknown) =>
		readBoolean(contextWith({ returnAll }), 'returnAll', 'Return All');

	test.each<[unknown, boolean]>([
		[true, true],
		[false, false],
		['true', true],
		[' False ', false],
	])('%j', (value, expected) => {
		expect(readIt(value)).toBe(expected);
	});

	test.each<[unknown, string]>([
		['yes', 'is "yes"'],
		[1, 'is 1'],
		['', 'is empty'],
		[undefined, 'is empty'],
	])('%j is refused by name', (value, got) => {
		expect(errorOf(() => readIt(value)).message).toBe(
			`The parameter "Return All" ${got}. Turn it on or off.`,
		);
	});
});

test.each([
	['apiKey', 'apiKey'],
	['oAuth2', 'oAuth2'],
	[undefined, 'oAuth2'],
])('authentication %p means %s', (authentication, expected) => {
	expect(readAuthentication(contextWith({ authentication }))).toBe(expected);
});

const defaultOutput: ReturnType<typeof readOutputOptions> = {
	simplify: true,
	answerKeys: 'label',
	answerValues: 'value',
	flattenAnswers: false,
	include: [],
};

const flatWithAll = { flattenAnswers: true, include: ['metadata', 'fields'] };

test.each<[Record<string, unknown>, Partial<typeof defaultOutput>]>([
	[{ options: {} }, {}],
	[
		{ simplify: false, options: { answerKeys: 'fieldId', answerValues: 'rawValue' } },
		{ simplify: false, answerKeys: 'fieldId', answerValues: 'rawValue' },
	],
	[{ options: flatWithAll }, { flattenAnswers: true, include: ['fields', 'metadata'] }],
	[{ options: { include: 'metadata' } }, { include: ['metadata'] }],
	[
		{ options: { include: ['createdAt', 'answerTypes'] } },
		{ include: ['answerTypes', 'createdAt'] },
	],
	[
		{ simplify: 'false', options: { flattenAnswers: 'true' } },
		{ simplify: false, flattenAnswers: true },
	],
	[
		{
			simplify: true,
			options: { answerKeys: 'nonsense', answerValues: 7, flattenAnswers: 'no', include: 7 },
		},
		{},
	],
])('output options %j', (parameters, expected) => {
	const context = contextWith(parameters);
	expect(readOutputOptionsLeniently(context)).toEqual({ ...defaultOutput, ...expected });
});

test.each<[Record<string, unknown>, string]>([
	[{ simplify: undefined }, 'parameter "Simplify" is empty. Turn it on or off.'],
	[{ simplify: 0 }, 'parameter "Simplify" is 0. Turn it on or off.'],
	[
		{ options: { answerKeys: 'fieldID' } },
		'option "Name Answers By" is "fieldID". Choose from: fieldId, label.',
	],
	[
		{ options: { answerKeys: ['label'] } },
		'option "Name Answers By" is ["label"]. Choose from: fieldId, label.',
	],
	[
		{ options: { answerValues: undefined } },
		'option "Answer Values" is empty. Choose from: rawValue, value.',
	],
	[{ options: { flattenAnswers: 1 } }, 'option "Flatten Answers" is 1. Turn it on or off.'],
	[
		{ options: { include: 'fields,metadata' } },
		'option "Include" is "fields,metadata". Choose from: answerTypes, createdAt, fields, metadata.',
	],
])('an action refuses %j', (parameters, message) => {
	const context = contextWith({ simplify: true, options: {}, ...parameters });
	expect(errorOf(() => readOutputOptions(context, 0)).message).toBe(`The ${message}`);
});

test.each<[Record<string, unknown>]>([
	[{}],
	[{ simplify: ' True ' }],
	[{ simplify: 'false', options: { answerKeys: 'hidden then' } }],
	[{ options: { ...flatWithAll, answerKeys: 'label', answerValues: 'rawValue' } }],
	[{ options: { include: 'metadata', flattenAnswers: 'false' } }],
])('an action takes %j as a delivery does', (parameters) => {
	const context = contextWith({ simplify: true, options: {}, ...parameters });
	expect(readOutputOptions(context, 0)).toEqual(readOutputOptionsLeniently(context));
});
