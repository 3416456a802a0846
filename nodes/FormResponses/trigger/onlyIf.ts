import type { INodeProperties } from 'n8n-workflow';
import type { ParameterContext } from '../parameters';
import { isBlank, orDefault, parameterError, read } from '../parameters';
import { folded } from '../transport/folded';
import type { Answer, ResponseEnvelope } from '../transport/types';

interface Condition {
	/** Of the answer; or its field ID. */
	label: string;
	operation: string;
	/** n8n leaves it out where the editor hides it. */
	value?: string;
}

/** Trimmed and in lower case. */
interface Comparable {
	text: string;
	/** NaN if it is none. */
	number: number;
}

type Test = (answer: Comparable, value: Comparable) => boolean;

function comparable(value: unknown, rawValue: unknown = value): Comparable {
	const text = folded(value);
	// As a number, a longer code would lose its last digits.
	const isNumber = text !== '' && Math.abs(Number(text)) <= Number.MAX_SAFE_INTEGER;
	const read = isNumber ? Number(text) : NaN;
	return { text, number: typeof rawValue === 'number' ? rawValue : read };
}

/** As text, ISO dates are in order. */
const compare = (answer: Comparable, value: Comparable): number => {
	if (!Number.isNaN(value.number)) return answer.number - value.number;
	if (answer.text === '' || answer.text === value.text) return 0;
	return answer.text > value.text ? 1 : -1;
};

const isEqual: Test = (answer, value) =>
	answer.text === value.text || answer.number === value.number;
const isGiven: Test = ({ text }) => text !== '';

interface Operation {
	name: string;
	test: Test;
	/** Whether the test has to fail. */
	isNot?: true;
	hasNoValue?: true;
}

const OPERATIONS: Record<string, Operation> = {
	contains: { name: 'Contains', test: (answer, value) => answer.text.includes(value.text) },
	equals: { name: 'Equals', test: isEqual },
	exists: { name: 'Exists', test: isGiven, hasNoValue: true },
	greater: { name: 'Greater Than', test: (answer, value) => compare(answer, value) > 0 },
	isEmpty: { name: 'Is Empty', test: isGiven, isNot: true, hasNoValue: true },
	less: { name: 'Less Than', test: (answer, value) => compare(answer, value) < 0 },
	notEquals: { name: 'Not Equals', test: isEqual, isNot: true },
};

const withoutValue = Object.keys(OPERATIONS).filter((key) => OPERATIONS[key].hasNoValue);

/** Null where the service sent what is not documented. */
const namesOf = (answer: Answer | null) => [folded(answer?.label), folded(answer?.fieldId)];

/** Whether all conditions hold. An answer that is missing is empty; of several with the label one is enough. */
export function meets({ data }: ResponseEnvelope, conditions: Condition[]): boolean {
	// What is not as documented runs as the service sent it.
	if (!Array.isArray(data.answers)) return true;
	return conditions.every(({ label, operation, value }) => {
		const { test, isNot = false } = OPERATIONS[operation];
		const name = folded(label);
		const answers = data.answers
			.filter((answer) => namesOf(answer).includes(name))
			.map((answer) => comparable(answer.value, answer.rawValue));
		return answers.some((one) => test(one, comparable(value))) !== isNot;
	});
}

/** Names a question that none of these responses has; without an answer, Exists and Is Empty are right as well. */
export function unknownQuestion(context: ParameterContext, shown: ResponseEnvelope[]) {
	const conditions = orDefault(() => readConditions(context), []);
	if (conditions.length === 0) return undefined;
	const answers = shown.flatMap(({ data }) => (Array.isArray(data.answers) ? data.answers : []));
	const names = new Set(answers.flatMap(namesOf));
	const unknown = conditions.find(
		({ label, operation }) => !withoutValue.includes(operation) && !names.has(folded(label)),
	);
	if (unknown === undefined || answers.length === 0) return undefined;
	const labels = [...new Set(answers.map((one) => one?.label))].join(', ');
	return `No question is called "${unknown.label}" in what the form service shows. There are: ${labels}.`;
}

/** What is wrong with a condition: the field, its value and the way out. */
function problemOf({ label, operation, value }: Condition): [string, unknown, string] | undefined {
	if (isBlank(label))
		return ['Question', label, 'Enter the question as the form has it, or its field ID.'];
	if (!Object.hasOwn(OPERATIONS, operation)) {
		return ['Operation', operation, `Choose from: ${Object.keys(OPERATIONS).join(', ')}.`];
	}
	const texts = Object.entries({ Question: label, Value: value });
	const expression = texts.find(([, text]) => String(text).includes('{{'));
	if (expression !== undefined) return [...expression, 'An expression has no effect here.'];
	const isMissing = isBlank(value) && !withoutValue.includes(operation);
	return isMissing ? ['Value', value, 'Enter a value, or choose Exists or Is Empty.'] : undefined;
}

/** @throws NodeOperationError for a condition that says nothing */
export function readConditions(context: ParameterContext): Condition[] {
	const { onlyIf } = read(context, 'options') as { onlyIf?: { conditions?: Condition[] } };
	const conditions = onlyIf?.conditions ?? [];
	const [problem] = conditions.map(problemOf).filter(Boolean);
	if (problem === undefined) return conditions;
	const [field, value, rule] = problem;
	throw parameterError(context, `Only If: ${field}`, value, rule, 0, 'option');
}

/** Conditions that cannot be read leave nothing out: `create` tells it. */
export function isWanted(context: ParameterContext, envelope: ResponseEnvelope): boolean {
	return orDefault(() => meets(envelope, readConditions(context)), true);
}

export const onlyIfOption: INodeProperties = {
	displayName: 'Only If',
	name: 'onlyIf',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Condition',
	default: {},
	description: 'Run only for responses that meet all conditions. Others start no execution.',
	options: [
		{
			displayName: 'Conditions',
			name: 'conditions',
			values: [
				{
					displayName: 'Question',
					name: 'label',
					type: 'string',
					noDataExpression: true,
					default: '',
					placeholder: 'e.g. Rating',
					description: 'The label of the answer, or its field ID',
				},
				{
					displayName: 'Operation',
					name: 'operation',
					type: 'options',
					noDataExpression: true,
					options: Object.entries(OPERATIONS).map(([value, { name }]) => ({ name, value })),
					default: 'equals',
				},
				{
					displayName: 'Value',
					name: 'value',
					type: 'string',
					noDataExpression: true,
					displayOptions: { hide: { operation: withoutValue } },
					default: '',
					description: 'Case does not matter. Numbers are compared as numbers.',
				},
			],
		},
	],
};
