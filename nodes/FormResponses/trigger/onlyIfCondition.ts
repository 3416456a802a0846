import { folded } from '../transport/comparableText';
import { isObject } from '../transport/shapes';
import type { Answer, ResponseEnvelope } from '../transport/types';

export interface Condition {
	/** Of the answer; or its field ID, as the list gives it. */
	label: unknown;
	operation: string;
	/** n8n leaves it out where the editor hides it. */
	value?: unknown;
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
const contains: Test = (answer, value) => answer.text.includes(value.text);
const isGiven: Test = ({ text }) => text !== '';

interface Operation {
	name: string;
	description?: string;
	test: Test;
	/** Whether the test has to fail. */
	isNot?: true;
	hasNoValue?: true;
}

const ORDERED = 'As numbers, dates such as 2026-01-31, or text. A missing answer does not match.';

/** In the order of the editor. */
export const OPERATIONS: Record<string, Operation> = {
	contains: {
		name: 'Contains',
		description: 'The answer contains the value, for example as one of several choices',
		test: contains,
	},
	equals: {
		name: 'Equals',
		description: 'The answer is the value. Several choices are one text: "A, B".',
		test: isEqual,
	},
	exists: {
		name: 'Exists',
		test: isGiven,
		hasNoValue: true,
	},
	greater: {
		name: 'Greater Than',
		description: ORDERED,
		test: (answer, value) => compare(answer, value) > 0,
	},
	isEmpty: {
		name: 'Is Empty',
		test: isGiven,
		isNot: true,
		hasNoValue: true,
	},
	less: {
		name: 'Less Than',
		description: ORDERED,
		test: (answer, value) => compare(answer, value) < 0,
	},
	notContains: {
		name: 'Not Contains',
		description: 'The answer does not contain the value. A missing answer matches.',
		test: contains,
		isNot: true,
	},
	notEquals: {
		name: 'Not Equals',
		description: 'The answer is not the value. A missing answer matches.',
		test: isEqual,
		isNot: true,
	},
};

export const WITHOUT_VALUE = Object.keys(OPERATIONS).filter((key) => OPERATIONS[key].hasNoValue);

const namesOf = ({ label, fieldId }: Answer) => [folded(label), folded(fieldId)];

/** Those that are as documented. */
export const answersOf = ({ data }: ResponseEnvelope): Answer[] =>
	Array.isArray(data.answers) ? data.answers.filter(isObject) : [];

export function answersTo(label: unknown, response: ResponseEnvelope) {
	const name = folded(label);
	return answersOf(response).filter((answer) => namesOf(answer).includes(name));
}

/** An answer that is missing is empty; of several with the label one is enough. */
export function meets(response: ResponseEnvelope, { label, operation, value }: Condition): boolean {
	const { test, isNot = false } = OPERATIONS[operation];
	const answers = answersTo(label, response).map((one) =>
		comparable(one.value ?? one.rawValue, one.rawValue),
	);
	const wanted = comparable(value);
	return answers.some((one) => test(one, wanted)) !== isNot;
}
