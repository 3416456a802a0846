import type { ParameterContext } from '../parameters';
import { brokenRule, isBlank, orDefault, parameterError, picked, read } from '../parameters';
import { isObject } from '../transport/shapes';
import type { ResponseEnvelope } from '../transport/types';
import type { Condition } from './onlyIfCondition';
import { answersOf, answersTo, meets, OPERATIONS, WITHOUT_VALUE } from './onlyIfCondition';
import { onlyIfMatchOption } from './onlyIfFields';

interface OnlyIf {
	conditions: Array<Condition & { name: string }>;
	/** Whether one of the conditions is enough. */
	isAny: boolean;
}

interface Options {
	onlyIf?: { conditions?: Condition[] };
	onlyIfMatch?: string;
}

/** As the person who chose it saw it. */
const nameOf = (label: unknown) =>
	String((isObject(label) && label.cachedResultName) || picked(label));

/** In JSON: an expression of what is there only while the node runs, or which is another one each time. */
const OF_A_RUN =
	/"(=(?:[^"\\]|\\.)*(?:\$(?!(?:vars|env|workflow|parameter)\b)|Date)(?:[^"\\]|\\.)*)"/;

const isNone = (value: unknown) => isBlank(value) || typeof value === 'object';

/** What is wrong with a condition: the field, its value and the way out. */
function problemOf({ label, operation, value }: Condition): [string, unknown, string] | undefined {
	if (isNone(label)) {
		return ['Question', label, 'Choose it from the list, or enter it as the form has it.'];
	}
	if (!Object.hasOwn(OPERATIONS, operation)) {
		return ['Operation', operation, `Choose from: ${Object.keys(OPERATIONS).join(', ')}.`];
	}
	const texts = Object.entries({ Question: label, Value: value });
	const expression = texts.find(([, text]) => String(text).includes('{{'));
	if (expression !== undefined) return [...expression, 'An expression has no effect here.'];
	const isMissing = isNone(value) && !WITHOUT_VALUE.includes(operation);
	return isMissing ? ['Value', value, 'Enter a value, or choose Exists or Is Empty.'] : undefined;
}

/** @throws NodeOperationError for a condition that says nothing */
export function readOnlyIf(context: ParameterContext): OnlyIf {
	const fail = (field: string, value: unknown, rule: string) =>
		parameterError(context, `Only If${field}`, value, rule, 0, 'option');
	const { onlyIf: written } = (context.getNode().parameters.options ?? {}) as Options;
	const [, ofARun] = OF_A_RUN.exec(JSON.stringify(written)) ?? [];
	if (ofARun) throw fail('', ofARun, 'An expression of an item or the time has no value here.');
	const { onlyIf, onlyIfMatch = 'all' } = read(context, 'options') as Options;
	const conditions = (onlyIf?.conditions ?? []).map((one) => ({
		...one,
		label: picked(one.label),
		value: picked(one.value),
		name: nameOf(one.label),
	}));
	const [problem] = conditions.map(problemOf).filter(Boolean);
	if (problem) throw fail(`: ${problem[0]}`, problem[1], problem[2]);
	const rule = brokenRule(onlyIfMatchOption, onlyIfMatch);
	if (rule) throw fail(' Must Match', onlyIfMatch, rule);
	return { conditions, isAny: onlyIfMatch === 'any' };
}

/** Conditions that cannot be read leave nothing out: `create` tells it. */
export function isWanted(context: ParameterContext, response: ResponseEnvelope): boolean {
	return orDefault(() => {
		const { conditions, isAny } = readOnlyIf(context);
		// What is not as documented runs as the service sent it.
		if (conditions.length === 0 || !Array.isArray(response.data.answers)) return true;
		const results = conditions.map((condition) => meets(response, condition));
		return isAny ? results.includes(true) : !results.includes(false);
	}, true);
}

/** Names a question that none of these responses has; without an answer, Exists and Is Empty are right as well. */
export function unknownQuestion(context: ParameterContext, shown: ResponseEnvelope[]) {
	const conditions = orDefault(() => readOnlyIf(context).conditions, []);
	const labels = new Set(shown.flatMap(answersOf).map(({ label }) => label));
	const unknown = conditions.find(
		({ label, operation }) =>
			!WITHOUT_VALUE.includes(operation) &&
			shown.every((response) => answersTo(label, response).length === 0),
	);
	if (unknown === undefined || labels.size === 0) return undefined;
	const question = `No question is called "${unknown.name}" in what the form service shows.`;
	return `${question} There are: ${[...labels].join(', ')}.`;
}
