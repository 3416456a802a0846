import { toAnswer } from '../answers.mts';
import type { Answer, Field } from '../types.mts';

/** Submitted values by field ID. */
export type Filled = Record<string, string[]>;
export type Problems = Record<string, string>;

type Reading = { raw: unknown } | { problem: string };
type Reader = (field: Field, values: string[]) => Reading;

const oneOf = ({ choices }: Field, value: string): boolean => choices.includes(value);

const readers: Record<string, Reader> = {
	email: (_, [value = '']) =>
		/^[^\s@]+@[^\s@]+$/.test(value) ? { raw: value } : { problem: 'This is not an email address.' },
	number: (_, [value = '']) =>
		Number.isFinite(Number(value)) ? { raw: Number(value) } : { problem: 'This is not a number.' },
	choice: (field, [value = '']) =>
		oneOf(field, value) ? { raw: value } : { problem: 'Choose one of the options.' },
	'multi-choice': (field, values) =>
		values.every((value) => oneOf(field, value))
			? { raw: values }
			: { problem: 'Choose among the options.' },
};

const text: Reader = (_, [value = '']) => ({ raw: value });

export function readFilled(fields: Field[], body: Record<string, unknown>): Filled {
	return Object.fromEntries(
		fields.map(({ id }) => {
			const given = body[id];
			const values = Array.isArray(given) ? given : given === undefined ? [] : [given];
			return [id, values.map((value) => String(value).trim()).filter(Boolean)];
		}),
	);
}

/** Skips empty fields. */
export function toAnswers(
	fields: Field[],
	filled: Filled,
): { answers: Answer[]; problems: Problems } {
	const answers: Answer[] = [];
	const problems: Problems = {};
	for (const field of fields) {
		const values = filled[field.id] ?? [];
		if (values.length === 0) {
			if (field.required) problems[field.id] = 'Please fill in this field.';
			continue;
		}
		const reading = (readers[field.type] ?? text)(field, values);
		if ('problem' in reading) problems[field.id] = reading.problem;
		else answers.push(toAnswer(field, reading.raw));
	}
	return { answers, problems };
}
