import { toAnswer } from '../answers.mts';
import type { Answer, Field } from '../types.mts';

/** How to read values other than a single text. */
const rawValues: Record<string, (values: string[]) => unknown> = {
	number: ([value]) => Number(value),
	'multi-choice': (values) => values,
};

/** A field left empty gives no answer. The browser checks what is required and valid. */
export const answersIn = (fields: Field[], body: Record<string, string | string[]>): Answer[] =>
	fields.flatMap((field) => {
		const values = [body[field.id] ?? []].flat().map((value) => value.trim());
		const given = values.filter(Boolean);
		if (given.length === 0) return [];
		return toAnswer(field, rawValues[field.type]?.(given) ?? given[0]);
	});
