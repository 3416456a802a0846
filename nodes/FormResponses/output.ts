import type { IDataObject } from 'n8n-workflow';
import type { Answer, ResponseEnvelope } from './transport/types';

/** Parts that a simplified item includes only on request. */
export const PARTS = ['answerTypes', 'createdAt', 'fields', 'metadata'] as const;

export interface OutputOptions {
	/** If false, the item is the envelope as the API sent it. */
	simplify: boolean;
	answerKeys: 'label' | 'fieldId';
	answerValues: 'value' | 'rawValue';
	/** Puts answers and hidden fields at the top level of the item. */
	flattenAnswers: boolean;
	include: Array<(typeof PARTS)[number]>;
}

/**
 * The trigger adds `warning`. n8n treats an item with `error` as a failure: Retry On Fail drops the output and
 * runs the node again (n8n-core, workflow-execute.ts).
 */
const RESERVED = ['warning', 'error'];

/**
 * Makes keys unique: `Name`, `Name (2)`, `Name (3)`.
 *
 * @param names all that are to be numbered: one that is unique keeps its name
 */
function createNumbering(takenKeys: string[], names: string[]) {
	const taken = new Set(takenKeys);
	const kept = new Set(names);
	const nextCount = new Map<string, number>();
	return (key: string): string => {
		let free = key;
		let count = nextCount.get(key) ?? 2;
		while (taken.has(free) || (free !== key && kept.has(free))) free = `${key} (${count++})`;
		nextCount.set(key, count);
		taken.add(free);
		return free;
	};
}

/** The API promises these names (playground/service/openapi.yaml); without them the response must still run. */
const hasNames = (answers: unknown, key: OutputOptions['answerKeys']): boolean =>
	Array.isArray(answers) &&
	answers.every((answer: Partial<Answer> | null) => typeof answer?.[key] === 'string');

/** Converts a Response to the JSON of an output item; if its answers are not as documented, leaves it unchanged. */
export function toJson(envelope: ResponseEnvelope, options: OutputOptions): IDataObject {
	const { data, createdAt } = envelope;
	const { answerKeys, answerValues, flattenAnswers, include } = options;
	if (!options.simplify || !hasNames(data.answers, answerKeys)) {
		return envelope as unknown as IDataObject;
	}
	const { responseId, formId, formTitle, respondentEmail, completedAt, hiddenFields } = data;
	const own = { responseId, formId, formTitle, respondentEmail, completedAt };
	const labels = data.answers.map((answer) => answer[answerKeys]);
	const hiddenLabels = Object.keys(hiddenFields ?? {});
	const numbered = flattenAnswers
		? createNumbering([...Object.keys(own), ...include, ...RESERVED], [...labels, ...hiddenLabels])
		: createNumbering([], labels);
	const names = labels.map(numbered);
	// fromEntries defines own properties, so a label such as __proto__ is safe.
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
