import type { IDataObject } from 'n8n-workflow';
import type { Answer, ResponseEnvelope } from './transport/types';

/** Parts of the response that a simplified item has only where they are asked for. */
export const PARTS = ['answerTypes', 'createdAt', 'fields', 'metadata'] as const;

export interface OutputOptions {
	/** False: the envelope as the API sent it. */
	simplify: boolean;
	answerKeys: 'label' | 'fieldId';
	answerValues: 'value' | 'rawValue';
	/** Each answer and hidden field beside the response's own fields, rather than in objects. */
	flattenAnswers: boolean;
	include: Array<(typeof PARTS)[number]>;
}

/**
 * What the trigger adds to an item beside the fields of the response, and what n8n takes for a failure: with
 * Retry On Fail it drops the output and runs the node again (n8n-core, workflow-execute.ts).
 */
const RESERVED = ['warning', 'error'];

/** Gives `Name`, then `Name (2)`, `Name (3)`: nothing overwrites another, or a key that is taken. */
function createNumbering(takenKeys: string[]) {
	const taken = new Set(takenKeys);
	const nextCount = new Map<string, number>();
	return (key: string): string => {
		let free = key;
		let count = nextCount.get(key) ?? 2;
		while (taken.has(free)) free = `${key} (${count++})`;
		nextCount.set(key, count);
		taken.add(free);
		return free;
	};
}

/** Whether each answer has the name that it is to have, which the API promises (playground/service/openapi.json). */
const canBeNamed = (answers: unknown, key: OutputOptions['answerKeys']): boolean =>
	Array.isArray(answers) &&
	answers.every((answer: Partial<Answer> | null) => typeof answer?.[key] === 'string');

/**
 * The JSON of the item that a completed Response becomes, in both nodes. One whose answers are not as the
 * API documents them stays as the API sent it.
 */
export function toJson(envelope: ResponseEnvelope, options: OutputOptions): IDataObject {
	const { data, createdAt } = envelope;
	const { answerKeys, answerValues, flattenAnswers, include } = options;
	if (!options.simplify || !canBeNamed(data.answers, answerKeys)) {
		return envelope as unknown as IDataObject;
	}
	const { responseId, formId, formTitle, respondentEmail, completedAt, hiddenFields } = data;
	const own = { responseId, formId, formTitle, respondentEmail, completedAt };
	const taken = [...Object.keys(own), ...include, ...RESERVED];
	const numbered = createNumbering(flattenAnswers ? taken : []);
	const names = data.answers.map((answer) => numbered(answer[answerKeys]));
	// fromEntries defines properties, so that a label such as __proto__ is an ordinary key.
	const byName = (key: keyof Answer) =>
		Object.fromEntries(data.answers.map((answer, index) => [names[index], answer[key]]));
	const { fields, metadata } = data;
	const parts = { createdAt, fields, metadata };
	const included = Object.fromEntries(
		include.map((part) => [part, part === 'answerTypes' ? byName('type') : parts[part]]),
	);
	const answers = byName(answerValues);
	if (!flattenAnswers) return { ...own, answers, hiddenFields, ...included } as IDataObject;
	const hidden = Object.entries(hiddenFields ?? {}).map(([key, value]) => [numbered(key), value]);
	return { ...answers, ...own, ...Object.fromEntries(hidden), ...included } as IDataObject;
}
