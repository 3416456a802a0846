import type { IDataObject } from 'n8n-workflow';
import type { Answer, ResponseEnvelope } from './transport/types';

export interface OutputOptions {
	/** False: the envelope as the API sent it. */
	simplify: boolean;
	answerKeys: 'label' | 'fieldId';
	answerValues: 'value' | 'rawValue';
	/** Each answer beside the response's own fields, rather than all of them in `answers`. */
	flattenAnswers: boolean;
	/** Parts of the response that a simplified item has only where they are asked for. */
	include: Array<'fields' | 'metadata'>;
}

/**
 * What the trigger adds to an item beside the fields of the response, and what n8n takes for a failure: with
 * Retry On Fail it drops the output and runs the node again (n8n-core, workflow-execute.ts).
 */
const RESERVED = ['warning', 'error'];

/** Gives `Name`, then `Name (2)`, `Name (3)`: no answer overwrites another, or a key that is taken. */
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

function answersByKey(
	answers: Answer[],
	{ answerKeys, answerValues }: OutputOptions,
	takenKeys: string[] = [],
): IDataObject {
	const numbered = createNumbering(takenKeys);
	// fromEntries defines properties, so that a label such as __proto__ is an ordinary key.
	return Object.fromEntries(
		answers.map((answer) => [numbered(answer[answerKeys]), answer[answerValues]]),
	) as IDataObject;
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
	const isSimplified = options.simplify && canBeNamed(envelope.data.answers, options.answerKeys);
	if (!isSimplified) return envelope as unknown as IDataObject;
	const { data } = envelope;
	const { responseId, formId, formTitle, respondentEmail, completedAt, hiddenFields } = data;
	const before = { responseId, formId, formTitle, respondentEmail, completedAt };
	const after = {
		hiddenFields,
		...Object.fromEntries(options.include.map((part) => [part, data[part]])),
	} as IDataObject;
	if (!options.flattenAnswers) {
		return { ...before, answers: answersByKey(data.answers, options), ...after };
	}
	const taken = [...Object.keys(before), ...Object.keys(after), ...RESERVED];
	return { ...before, ...answersByKey(data.answers, options, taken), ...after };
}
