import type { INodeProperties } from 'n8n-workflow';
import type { ParameterContext } from '../parameters';
import { isBlank, parameterError, read } from '../parameters';
import { folded } from '../transport/folded';
import type { ResponseEnvelope } from '../transport/types';

interface Condition {
	/** Of the answer; or its field ID. */
	label: string;
	operation: string;
	value: string;
}

/** n8n leaves out what is as it was initially. */
const INITIAL: Condition = { label: '', operation: 'equals', value: '' };

type Test = (answer: string, value: string) => boolean;

const isGreater: Test = (one, other) => {
	const difference = Number(one) - Number(other);
	// As text, ISO dates are in order.
	return one !== '' && other !== '' && (Number.isNaN(difference) ? one > other : difference > 0);
};

const isEqual: Test = (answer, value) => answer === value;
const isGiven: Test = (answer) => answer !== '';

interface Operation {
	name: string;
	/** Of texts that are trimmed and in lower case. */
	test: Test;
	/** Whether the test has to fail. */
	isNot?: true;
	hasNoValue?: true;
}

const OPERATIONS: Record<string, Operation> = {
	contains: { name: 'Contains', test: (answer, value) => answer.includes(value) },
	equals: { name: 'Equals', test: isEqual },
	exists: { name: 'Exists', test: isGiven, hasNoValue: true },
	greater: { name: 'Greater Than', test: isGreater },
	isEmpty: { name: 'Is Empty', test: isGiven, isNot: true, hasNoValue: true },
	less: { name: 'Less Than', test: (answer, value) => isGreater(value, answer) },
	notEquals: { name: 'Not Equals', test: isEqual, isNot: true },
};

/** Whether all conditions hold. An answer that is missing is empty; of several with the label one is enough. */
export function meets({ data }: ResponseEnvelope, conditions: Condition[]): boolean {
	// What is not as documented runs as the service sent it.
	if (!Array.isArray(data.answers)) return true;
	return conditions.every(({ label, operation, value }) => {
		const { test, isNot = false } = OPERATIONS[operation];
		const isMeant = (name: unknown) => folded(name) === folded(label);
		const answers = data.answers
			.filter((answer) => isMeant(answer?.label) || isMeant(answer?.fieldId))
			.map((answer) => folded(answer.value));
		const some = (answers.length > 0 ? answers : ['']).some((one) => test(one, folded(value)));
		return some !== isNot;
	});
}

/** What is wrong with a condition: the field, its value and the way out. */
function problemOf({ label, operation, value }: Condition): [string, unknown, string] | undefined {
	if (isBlank(label)) return ['Question', label, 'Enter the label of the answer, or its field ID.'];
	if (!Object.hasOwn(OPERATIONS, operation)) {
		return ['Operation', operation, `Choose from: ${Object.keys(OPERATIONS).join(', ')}.`];
	}
	const isMissing = isBlank(value) && !OPERATIONS[operation].hasNoValue;
	return isMissing ? ['Value', value, 'Enter a value, or choose Exists or Is Empty.'] : undefined;
}

/** @throws NodeOperationError for a condition that says nothing */
export function readConditions(context: ParameterContext): Condition[] {
	const { onlyIf } = read(context, 'options') as {
		onlyIf?: { conditions?: Array<Partial<Condition>> };
	};
	const conditions = (onlyIf?.conditions ?? []).map((one) => ({ ...INITIAL, ...one }));
	const [problem] = conditions.map(problemOf).filter(Boolean);
	if (problem === undefined) return conditions;
	const [field, value, rule] = problem;
	throw parameterError(context, `Only If: ${field}`, value, rule, 0, 'option');
}

/** Conditions that cannot be read leave nothing out: `create` tells it. */
export function isWanted(context: ParameterContext, envelope: ResponseEnvelope): boolean {
	try {
		return meets(envelope, readConditions(context));
	} catch {
		return true;
	}
}

export const onlyIfOption: INodeProperties = {
	displayName: 'Only If',
	name: 'onlyIf',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Condition',
	default: {},
	description:
		'Run only for responses that meet all conditions. Others start no execution; tests show them.',
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
					displayOptions: { hide: { operation: ['exists', 'isEmpty'] } },
					default: '',
					description: 'Compared in upper or lower case alike; as a number if both are numbers',
				},
			],
		},
	],
};
