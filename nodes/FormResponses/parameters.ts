import type {
	IDataObject,
	IExecuteFunctions,
	IHookFunctions,
	ILoadOptionsFunctions,
	INodeProperties,
	INodePropertyOptions,
	ITriggerFunctions,
	IWebhookFunctions,
	NodeOperationError,
} from 'n8n-workflow';
import {
	answerValuesOption,
	flattenAnswersOption,
	FORM_IN_URL,
	includeOption,
	nameAnswersByOption,
} from './fields';
import type { OutputOptions } from './output';
import { ANSWER_KEYS, DEFAULT_PARTS, PARTS } from './output';
import { plainError } from './transport/errors';
import { EXAMPLE_ID, isObject, isUuid } from './transport/shapes';
import type { Authentication } from './transport/types';

export type ParameterContext =
	| IExecuteFunctions
	| IHookFunctions
	| ILoadOptionsFunctions
	| ITriggerFunctions
	| IWebhookFunctions;

const MAX_QUOTE = 60;

/** Outside `execute`, n8n takes itemIndex for a fallback value, which it ignores for known parameters. */
export function read(context: ParameterContext, name: string, itemIndex = 0): unknown {
	return (context as IExecuteFunctions).getNodeParameter(name, itemIndex);
}

/** What cannot be read has its default. */
export function orDefault<Value>(readValue: () => Value, value: Value): Value {
	try {
		return readValue();
	} catch {
		return value;
	}
}

/** None where they cannot be read now. */
export const optionsOrNone = (context: ParameterContext): IDataObject =>
	orDefault(() => read(context, 'options') as IDataObject, {});

/**
 * Keeps the parameters as they are now: n8n evaluates expressions only while it calls the node (n8n,
 * workflow-trigger-activator.ts), and a trigger goes on after that. What cannot be evaluated still throws.
 */
export function keepParameters(context: ITriggerFunctions): void {
	const readNow = context.getNodeParameter.bind(context) as (...how: unknown[]) => unknown;
	const names = Object.keys(context.getNode().parameters);
	const kept = new Map(
		names.flatMap((name) =>
			orDefault<Array<[unknown, unknown]>>(() => [[name, readNow(name)]], []),
		),
	);
	const readKept = (...how: unknown[]) => (kept.has(how[0]) ? kept.get(how[0]) : readNow(...how));
	context.getNodeParameter = readKept as typeof context.getNodeParameter;
}

export const isBlank = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** The value of a resource locator, or what is none, as earlier workflows have it. */
export const picked = (value: unknown): unknown => (isObject(value) ? value.value : value);

function quote(value: unknown): string {
	const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
	const start = text.length > MAX_QUOTE ? `${text.slice(0, MAX_QUOTE)}…` : text;
	return typeof value === 'string' ? `"${start}"` : start;
}

/** Builds an error that names the parameter, its value and the fix. */
export function parameterError(
	context: ParameterContext,
	displayName: string,
	value: unknown,
	rule: string,
	itemIndex = 0,
	kind = 'parameter',
): NodeOperationError {
	const message = `The ${kind} "${displayName}" is ${isBlank(value) ? 'empty' : quote(value)}. ${rule}`;
	return plainError(context.getNode(), message, itemIndex);
}

export function readAuthentication(context: ParameterContext): Authentication {
	return read(context, 'authentication') === 'apiKey' ? 'apiKey' : 'oAuth2';
}

export function readId(
	context: ParameterContext,
	name: string,
	displayName: string,
	itemIndex: number,
): string {
	const value = read(context, name, itemIndex);
	const id = typeof value === 'string' ? value.trim() : value;
	if (isUuid(id)) return id.toLowerCase();
	const rule = `Enter a UUID such as ${EXAMPLE_ID}.`;
	throw parameterError(context, displayName, value, rule, itemIndex);
}

/** Reads the form ID from the resource locator. */
export function readFormId(context: ParameterContext, itemIndex = 0): string {
	const locator = read(context, 'formId', itemIndex);
	const { mode, value } = isObject(locator) ? locator : { mode: 'id', value: locator };
	const text = typeof value === 'string' ? value.trim() : '';
	const id = mode === 'url' ? new RegExp(FORM_IN_URL).exec(text)?.[1] : text;
	if (isUuid(id)) return id.toLowerCase();
	const enter =
		readAuthentication(context) === 'apiKey' ? 'Enter' : 'Choose it from the list, or enter';
	const rule = `${enter} its ID (a UUID) or a URL that contains it.`;
	throw parameterError(context, 'Form', value, rule, itemIndex);
}

/** Accepts booleans and "true" or "false"; undefined for anything else. */
function asBoolean(value: unknown): boolean | undefined {
	const text = String(value).trim().toLowerCase();
	return text === 'true' || (text === 'false' ? false : undefined);
}

export function readBoolean(
	context: ParameterContext,
	name: string,
	displayName: string,
	itemIndex: number,
): boolean {
	const value = read(context, name, itemIndex);
	const isOn = asBoolean(value);
	if (isOn !== undefined) return isOn;
	throw parameterError(context, displayName, value, 'Turn it on or off.', itemIndex);
}

export function readWholeNumber(
	context: ParameterContext,
	name: string,
	displayName: string,
	{ min, max, reason = '' }: { min: number; max: number; reason?: string },
	itemIndex = 0,
	given: unknown = read(context, name, itemIndex),
): number {
	const value = (typeof given === 'string' ? Number(given) : given) as number;
	if (Number.isInteger(value) && value >= min && value <= max) return value;
	const range = max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`;
	const rule = `Enter a whole number ${range}${reason}.`;
	throw parameterError(context, displayName, given, rule, itemIndex);
}

/** In minutes. */
export const readPollInterval = (context: ParameterContext): number =>
	readWholeNumber(context, 'pollInterval', 'Poll Interval', { min: 1, max: Infinity });

/** Replaces invalid options with their defaults: a delivered response must always run. */
export function readOutputOptionsLeniently(
	context: ParameterContext,
	itemIndex = 0,
): OutputOptions {
	const options = read(context, 'options', itemIndex) as Record<string, unknown>;
	const chosen: unknown[] = [options.include].flat();
	const parts = PARTS.filter((part) => chosen.includes(part));
	const areParts = chosen.every((one) => parts.some((part) => part === one));
	return {
		simplify: asBoolean(read(context, 'simplify', itemIndex)) ?? true,
		answerKeys: ANSWER_KEYS.find((key) => key === options.answerKeys) ?? 'label',
		answerValues: options.answerValues === 'rawValue' ? 'rawValue' : 'value',
		flattenAnswers: asBoolean(options.flattenAnswers) ?? false,
		include: areParts ? parts : DEFAULT_PARTS,
	};
}

const outputOptions = [
	answerValuesOption,
	flattenAnswersOption,
	includeOption,
	nameAnswersByOption,
];

/** @returns how to enter the value, where it is none of the field's */
export function brokenRule({ type, options }: INodeProperties, value: unknown): string | undefined {
	if (type === 'boolean') return asBoolean(value) === undefined ? 'Turn it on or off.' : undefined;
	const values = (options as INodePropertyOptions[]).map((option) => option.value);
	const chosen = type === 'multiOptions' ? [value].flat() : [value];
	const isChoice = chosen.every((one) => values.includes(one as string));
	return isChoice ? undefined : `Choose from: ${values.join(', ')}.`;
}

/** @throws NodeOperationError if an option has an invalid value, such as from an expression */
export function readOutputOptions(context: ParameterContext, itemIndex: number): OutputOptions {
	const options = read(context, 'options', itemIndex) as Record<string, unknown>;
	const isShown = readBoolean(context, 'simplify', 'Simplify', itemIndex);
	for (const field of isShown ? outputOptions : []) {
		const value = options[field.name];
		const rule = field.name in options ? brokenRule(field, value) : undefined;
		if (rule === undefined) continue;
		throw parameterError(context, field.displayName, value, rule, itemIndex, 'option');
	}
	return readOutputOptionsLeniently(context, itemIndex);
}
