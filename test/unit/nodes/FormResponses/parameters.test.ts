import { NodeOperationError, type IExecuteFunctions, type INode } from 'n8n-workflow';
import { DEFAULT_PARTS } from '../../../../nodes/FormResponses/output';
import * as parameters from '../../../../nodes/FormResponses/parameters';
import { FORM_ID, OTHER_FORM_ID } from '../../kit/samples';

const { readAuthentication, readFormId, readId, readBoolean, readWholeNumber } = parameters;
const { readOutputOptions, readOutputOptionsLeniently } = parameters;

const node = { name: 'Forms' } as INode;

/** A context in which every item has the same parameters. */
const contextWith = (values: Record<string, unknown>) => {
	const context = { getNode: () => node, getNodeParameter: (name: string) => values[name] };
	return context as Partial<IExecuteFunctions> as IExecuteFunctions;
};

function refusal(read: () => unknown): NodeOperationError {
	try {
		read();
	} catch (error) {
		expect(error).toBeInstanceOf(NodeOperationError);
		return error as NodeOperationError;
	}
	throw new NodeOperationError(node, 'It did not throw');
}

/** Reads a value as a parameter of this kind. */
const readers = {
	id: (value: unknown, item = 0) => readId(contextWith({ value }), 'value', 'Response ID', item),
	form: (formId: unknown, item?: number) => readFormId(contextWith({ formId }), item),
	formByKey: (formId: unknown, item?: number) =>
		readFormId(contextWith({ formId, authentication: 'apiKey' }), item),
	number: (value: unknown, item?: number) =>
		readWholeNumber(contextWith({ value }), 'value', 'Limit', { min: 1, max: 25 }, item),
	numberFrom1: (value: unknown, item?: number) =>
		readWholeNumber(contextWith({ value }), 'value', 'Limit', { min: 1, max: Infinity }, item),
	switch: (value: unknown, item = 0) =>
		readBoolean(contextWith({ value }), 'value', 'Return All', item),
	authentication: (authentication: unknown) => readAuthentication(contextWith({ authentication })),
};

type Kind = keyof typeof readers;

const formBy = (mode: string, value: unknown) => ({ mode, value });
const site = 'https://forms.example.com/';
const inWorkspace = `${site}workspaces/${OTHER_FORM_ID}`;
const atForms = `${site}forms/${FORM_ID}`;

test.each<[Kind, value: unknown, read: unknown]>([
	['id', FORM_ID, FORM_ID],
	['id', ` ${FORM_ID}\n`, FORM_ID],
	['id', FORM_ID.toUpperCase(), FORM_ID],
	['form', FORM_ID, FORM_ID],
	['form', formBy('list', FORM_ID), FORM_ID],
	['form', formBy('id', ` ${FORM_ID} `), FORM_ID],
	['form', formBy('id', FORM_ID.toUpperCase()), FORM_ID],
	['form', formBy('url', `${atForms}/edit`), FORM_ID],
	['form', formBy('url', `${atForms}/responses/${OTHER_FORM_ID}`), FORM_ID],
	['form', formBy('url', FORM_ID), FORM_ID],
	['form', formBy('url', `${inWorkspace}/forms/${FORM_ID}/edit`), FORM_ID],
	['form', formBy('url', `${inWorkspace}/f/${FORM_ID}/responses/${OTHER_FORM_ID}`), FORM_ID],
	['form', formBy('url', `${inWorkspace}/edit?form=${FORM_ID}&response=${OTHER_FORM_ID}`), FORM_ID],
	['form', formBy('url', `${inWorkspace}/${FORM_ID}`), FORM_ID],
	['form', formBy('url', `${site}?formId=${FORM_ID}&workspaceId=${OTHER_FORM_ID}`), FORM_ID],
	['form', formBy('url', `${site}?form_id=${FORM_ID}&w=${OTHER_FORM_ID}`), FORM_ID],
	['form', formBy('url', `${site}forms/view/${FORM_ID}?workspace=${OTHER_FORM_ID}`), FORM_ID],
	['form', formBy('url', `${site}Forms/contact-${FORM_ID}/responses/${OTHER_FORM_ID}`), FORM_ID],
	['form', formBy('url', `${site}${OTHER_FORM_ID}/forms?id=${FORM_ID}`), FORM_ID],
	['number', 1, 1],
	['number', 10, 10],
	['number', 25, 25],
	['number', ' 5 ', 5],
	['numberFrom1', 1_000_000, 1_000_000],
	['switch', true, true],
	['switch', false, false],
	['switch', 'true', true],
	['switch', ' False ', false],
	['authentication', 'apiKey', 'apiKey'],
	['authentication', 'oAuth2', 'oAuth2'],
	['authentication', undefined, 'oAuth2'],
])('%s: %j is read as %j', (kind, value, expected) => {
	expect(readers[kind](value)).toBe(expected);
});

/** Wrong values, each as an error shows it. */
type Wrong = Array<[value: unknown, shown: string]>;

const blank: Wrong = ['', '   ', undefined, null].map((value) => [value, 'empty']);
const notIds: Wrong = [
	...blank,
	['../me', '"../me"'],
	['a/b', '"a/b"'],
	[7, '7'],
	[{ id: 1 }, '{"id":1}'],
	[`${FORM_ID}/../me`, `"${FORM_ID}/../me"`],
	['x'.repeat(10_000), `"${'x'.repeat(60)}…"`],
];
const notNumbers: Wrong = [
	...blank,
	...[0, 26, -1, 1.5, NaN, Infinity].map((value): Wrong[0] => [value, `${value}`]),
	['26', '"26"'],
	['ten', '"ten"'],
	[[5], '[5]'],
];
const notForms = (mode: string, wrong: Wrong): Wrong =>
	wrong.map(([value, shown]) => [formBy(mode, value), shown]);
const withoutId = 'https://forms.example.com/forms/contact';

const ANY_FORM = 'Choose it from the list, or enter its ID (a UUID) or a URL that contains it.';
const WITHOUT_LIST = 'Enter its ID (a UUID) or a URL that contains it.';
const UUID = 'Enter a UUID such as 3f1c9a52-7d0e-4b8a-9c26-5e41d7f0a8b3.';

test.each<[Kind, displayName: string, rule: string, Wrong]>([
	['id', 'Response ID', UUID, notIds],
	['form', 'Form', ANY_FORM, notForms('list', notIds)],
	['form', 'Form', ANY_FORM, notForms('id', notIds)],
	['form', 'Form', ANY_FORM, notForms('id', [[atForms, `"${atForms.slice(0, 60)}…"`]])],
	['form', 'Form', ANY_FORM, notForms('url', notIds.slice(0, 8))],
	['form', 'Form', ANY_FORM, notForms('url', [[withoutId, `"${withoutId}"`]])],
	['formByKey', 'Form', WITHOUT_LIST, notForms('list', blank)],
	['number', 'Limit', 'Enter a whole number from 1 to 25.', notNumbers],
	['numberFrom1', 'Limit', 'Enter a whole number of at least 1.', [[0, '0']]],
	['switch', 'Return All', 'Turn it on or off.', [...blank, ['yes', '"yes"'], [1, '1']]],
])('%s: what is none is refused by its name %s, and for its item', (kind, name, rule, wrong) => {
	for (const [value, shown] of wrong) {
		const { message, context } = refusal(() => readers[kind](value, 3));
		expect(message).toBe(`The parameter "${name}" is ${shown}. ${rule}`);
		expect(context.itemIndex).toBe(3);
	}
});

const defaultOutput: ReturnType<typeof readOutputOptions> = {
	simplify: true,
	answerKeys: 'label',
	answerValues: 'value',
	flattenAnswers: false,
	include: DEFAULT_PARTS,
};

const flatWithAll = { flattenAnswers: true, include: ['metadata', 'fields'] };
const byFieldAndRaw = { answerKeys: 'fieldId', answerValues: 'rawValue' } as const;

test.each<[options: object, simplify: unknown, expected: Partial<typeof defaultOutput>]>([
	[{}, true, {}],
	[{}, ' True ', {}],
	[byFieldAndRaw, false, { simplify: false, ...byFieldAndRaw }],
	[flatWithAll, true, { flattenAnswers: true, include: ['fields', 'metadata'] }],
	[{ include: 'metadata', flattenAnswers: 'false' }, true, { include: ['metadata'] }],
	[{ include: [] }, true, { include: [] }],
	[{ include: ['formId', 'formId'] }, true, { include: ['formId'] }],
	[{ answerKeys: 'columnName' }, true, { answerKeys: 'columnName' }],
	[{ include: ['createdAt', 'answerTypes'] }, true, { include: ['answerTypes', 'createdAt'] }],
	[{ flattenAnswers: 'true' }, 'false', { simplify: false, flattenAnswers: true }],
	[{ answerKeys: 'hidden then' }, 'false', { simplify: false }],
])('output options %j with Simplify %j mean %j', (options, simplify, expected) => {
	const context = contextWith({ simplify, options });
	expect(readOutputOptions(context, 0)).toEqual({ ...defaultOutput, ...expected });
	expect(readOutputOptionsLeniently(context)).toEqual({ ...defaultOutput, ...expected });
});

test.each([
	[undefined, {}],
	[true, { include: ['formId', 'nonsense'] }],
	[true, { answerKeys: 'nonsense', answerValues: 7, flattenAnswers: 'no', include: 7 }],
])('for a delivery, what is wrong counts as not set: Simplify %j, %j', (simplify, options) => {
	expect(readOutputOptionsLeniently(contextWith({ simplify, options }))).toEqual(defaultOutput);
});

test.each<[simplify: unknown, options: object, told: string]>([
	[undefined, {}, 'parameter "Simplify" is empty. Turn it on or off.'],
	[0, {}, 'parameter "Simplify" is 0. Turn it on or off.'],
	[
		true,
		{ answerKeys: 'fieldID' },
		'option "Name Answers By" is "fieldID". Choose from: columnName, fieldId, label.',
	],
	[
		true,
		{ answerKeys: ['label'] },
		'option "Name Answers By" is ["label"]. Choose from: columnName, fieldId, label.',
	],
	[
		true,
		{ answerValues: undefined },
		'option "Answer Values" is empty. Choose from: rawValue, value.',
	],
	[true, { flattenAnswers: 1 }, 'option "Flatten Answers" is 1. Turn it on or off.'],
	[
		true,
		{ include: 'fields,metadata' },
		'option "Include" is "fields,metadata". Choose from: answerTypes, completedAt, createdAt, fields, formId, formTitle, hiddenFields, metadata, respondentEmail, responseId, summary.',
	],
])('an action refuses Simplify %j with the options %j', (simplify, options, told) => {
	const { message } = refusal(() => readOutputOptions(contextWith({ simplify, options }), 0));
	expect(message).toBe(`The ${told}`);
});
