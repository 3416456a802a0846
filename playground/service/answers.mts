import { randomUUID } from 'node:crypto';
import type { Answer, Field } from './types.mts';

export type RawAnswers = Record<string, unknown>;

const toText = (raw: unknown): string => {
	if (raw === null || raw === undefined) return '';
	if (Array.isArray(raw)) return raw.map(toText).join(', ');
	return typeof raw === 'object' ? JSON.stringify(raw) : String(raw);
};

const typeOf = (raw: unknown): string => {
	if (Array.isArray(raw)) return 'multi-choice';
	return typeof raw === 'number' ? 'number' : 'text';
};

export const toAnswer = (field: Pick<Field, 'id' | 'label' | 'type'>, raw: unknown): Answer => ({
	fieldId: field.id,
	label: field.label,
	type: field.type,
	value: toText(raw),
	rawValue: raw,
});

/** Unknown labels become answers to a new field. */
export const answersByLabel = (fields: Field[], answers: RawAnswers): Answer[] =>
	Object.entries(answers).map(([label, raw]) =>
		toAnswer(
			fields.find((field) => field.label === label) ?? {
				id: randomUUID(),
				label,
				type: typeOf(raw),
			},
			raw,
		),
	);
