import type { IDataObject } from 'n8n-workflow';
import { columnName, createNumbering, withColumnCount } from './answerNames';
import { oneLine, textOf } from './transport/comparableText';
import type { Answer, ResponseEnvelope } from './transport/types';

const OWN_PARTS = ['responseId', 'formId', 'formTitle', 'respondentEmail', 'completedAt'] as const;
const MORE_PARTS = ['summary', 'answerTypes', 'createdAt', 'fields', 'metadata'] as const;

/** What a simplified item can carry besides its answers. */
export const PARTS = [...OWN_PARTS, 'hiddenFields', ...MORE_PARTS, 'warning'] as const;

export const ANSWER_KEYS = ['label', 'fieldId', 'columnName'] as const;

/** What an item carries unless somebody chooses. */
export const DEFAULT_PARTS: Part[] = [...OWN_PARTS, 'hiddenFields', 'warning'];

type Part = (typeof PARTS)[number];

export interface OutputOptions {
	/** If false, the item is the envelope as the API sent it. */
	simplify: boolean;
	answerKeys: (typeof ANSWER_KEYS)[number];
	answerValues: 'value' | 'rawValue';
	/** Puts answers and hidden fields at the top level of the item. */
	flattenAnswers: boolean;
	include: Part[];
}

/**
 * The trigger adds `warning`. n8n treats an item with `error` as a failure: Retry On Fail drops the output and
 * runs the node again (n8n-core, workflow-execute.ts).
 */
const RESERVED = ['warning', 'error'];

/**
 * Databases ignore case. Data Table has columns of its own (n8n, data-table-column.entity.ts), and so has PostgreSQL.
 * n8n's Postgres node saves nothing of a field named `constructor` (seen in 2.41.1).
 */
const RESERVED_COLUMNS = [
	...[...PARTS, 'answers', 'error', 'constructor'],
	...['id', 'createdAt', 'updatedAt', 'dryRunState'],
	...['ctid', 'xmin', 'xmax', 'cmin', 'cmax', 'tableoid'],
].map((name) => name.toLowerCase());

/** The API promises these names (playground/service/openapi.yaml); without them the response must still run. */
const hasNames = (answers: unknown, key: keyof Answer): boolean =>
	Array.isArray(answers) &&
	answers.every((answer: Partial<Answer> | null) => typeof answer?.[key] === 'string');

/** The names of answers, then of hidden fields that stand beside them. */
function namesOf(answers: Answer[], hidden: string[], options: OutputOptions): string[] {
	const { answerKeys, flattenAnswers, include } = options;
	if (answerKeys === 'columnName') {
		const idOf = ({ label, fieldId }: Answer) => textOf(fieldId ?? label);
		const columns = answers.map((answer) => columnName(answer.label, idOf(answer)));
		const all = [...columns, ...hidden.map((name) => columnName(name))];
		return all.map(createNumbering(RESERVED_COLUMNS, [], withColumnCount));
	}
	const all = [...answers.map((answer) => answer[answerKeys]), ...hidden];
	const beside = include.filter((part) => part !== 'hiddenFields');
	return all.map(createNumbering(flattenAnswers ? [...beside, ...RESERVED] : [], all));
}

const summaryOf = (answers: Answer[]): string =>
	answers.map(({ label, value }) => `${oneLine(label)}: ${oneLine(value)}`.trim()).join('\n');

/** Converts a Response to the JSON of an output item; if its answers are not as documented, leaves it unchanged. */
export function toJson(envelope: ResponseEnvelope, options: OutputOptions): IDataObject {
	const { data, createdAt } = envelope;
	const { simplify, answerKeys, answerValues, flattenAnswers, include } = options;
	const key = answerKeys === 'fieldId' ? 'fieldId' : 'label';
	if (!simplify || !hasNames(data.answers, key)) return envelope as unknown as IDataObject;
	const has = (part: Part) => include.includes(part);
	const hidden =
		flattenAnswers && has('hiddenFields') ? Object.entries(data.hiddenFields ?? {}) : [];
	const labels = hidden.map(([label]) => label);
	const names = namesOf(data.answers, labels, options);
	const answersBy = (of: keyof Answer) =>
		data.answers.map((answer, index) => [names[index], answer[of]] as const);
	const answers = answersBy(answerValues);
	// fromEntries defines own properties, so a label such as __proto__ is safe.
	const more = {
		summary: () => summaryOf(data.answers),
		answerTypes: () => Object.fromEntries(answersBy('type')),
		createdAt: () => createdAt,
		fields: () => data.fields,
		metadata: () => data.metadata,
	};
	const own = OWN_PARTS.filter(has).map((part) => [part, data[part]] as const);
	const added = MORE_PARTS.filter(has).map((part) => [part, more[part]()] as const);
	const nested = has('hiddenFields') ? [['hiddenFields', data.hiddenFields] as const] : [];
	const flat = hidden.map(([, value], index) => [names[answers.length + index], value] as const);
	const entries = flattenAnswers
		? [...answers, ...own, ...flat, ...added]
		: [...own, ['answers', Object.fromEntries(answers)] as const, ...nested, ...added];
	return Object.fromEntries(entries) as IDataObject;
}
