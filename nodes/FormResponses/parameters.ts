import type {
	IExecuteFunctions,
	IHookFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { NodeOperationError, tryToParseDateTime } from 'n8n-workflow';
import type { OutputOptions } from './output';
import { isObject, isUuid } from './transport/shapes';
import type { Authentication } from './transport/types';

export type ParameterContext =
	| IExecuteFunctions
	| IHookFunctions
	| ITriggerFunctions
	| IWebhookFunctions;

const UUID_IN_TEXT = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
const LONGEST_QUOTE = 60;
const PARTS = ['fields', 'metadata'] as const;

/** In contexts without items the second argument is a fallback, which n8n ignores for known parameters. */
export function read(context: ParameterContext, name: string, itemIndex = 0): unknown {
	return (context as IExecuteFunctions).getNodeParameter(name, itemIndex);
}

const quote = (value: unknown): string => {
	const text = typeof value === 'string' ? value : String(JSON.stringify(value));
	return text.length > LONGEST_QUOTE ? `"${text.slice(0, LONGEST_QUOTE)}…"` : `"${text}"`;
};

/** An error that names the parameter, what it got and what it takes. */
export function parameterError(
	context: ParameterContext,
	displayName: string,
	value: unknown,
	rule: string,
	itemIndex = 0,
): NodeOperationError {
	const got =
		value === '' || value === undefined || value === null ? 'is empty' : `is ${quote(value)}`;
	const message = `The parameter "${displayName}" ${got}. ${rule}`;
	const error = new NodeOperationError(context.getNode(), message, { itemIndex });
	error.message = message;
	return error;
}

export function readAuthentication(context: ParameterContext): Authentication {
	return read(context, 'authentication') === 'apiKey' ? 'apiKey' : 'oAuth2';
}

export function readId(
	context: ParameterContext,
	name: string,
	displayName: string,
	itemIndex = 0,
): string {
	const value = read(context, name, itemIndex);
	const id = typeof value === 'string' ? value.trim() : value;
	if (isUuid(id)) return id.toLowerCase();
	throw parameterError(
		context,
		displayName,
		value,
		'Enter a UUID such as 3f1c9a52-7d0e-4b8a-9c26-5e41d7f0a8b3.',
		itemIndex,
	);
}

/** The form's ID from the picker: chosen in the list, entered, or the first UUID in a URL. */
export function readFormId(context: ParameterContext, itemIndex = 0): string {
	const locator = read(context, 'formId', itemIndex);
	const { mode, value } = isObject(locator) ? locator : { mode: 'id', value: locator };
	const text = typeof value === 'string' ? value.trim() : '';
	const id = mode === 'url' ? UUID_IN_TEXT.exec(text)?.[0] : text;
	if (isUuid(id)) return id.toLowerCase();
	throw parameterError(
		context,
		'Form',
		value,
		'Choose a form from the list, or enter its ID (a UUID) or a URL that contains it.',
		itemIndex,
	);
}

/** Text without blanks around it, also where an expression gives a number; empty where not set. */
export function asText(
	context: ParameterContext,
	displayName: string,
	value: unknown,
	itemIndex: number,
): string {
	if (value === undefined || value === null) return '';
	if (typeof value !== 'object') return String(value).trim();
	throw parameterError(context, displayName, value, 'Enter text.', itemIndex);
}

export function readWholeNumber(
	context: ParameterContext,
	name: string,
	displayName: string,
	{ min, max }: { min: number; max: number },
	itemIndex = 0,
	given: unknown = read(context, name, itemIndex),
): number {
	const value = typeof given === 'string' && given.trim() !== '' ? Number(given) : given;
	if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) {
		return value;
	}
	const range = max === Infinity ? `of at least ${min}` : `from ${min} to ${max}`;
	const shown = typeof given === 'number' ? String(given) : given;
	throw parameterError(context, displayName, shown, `Enter a whole number ${range}.`, itemIndex);
}

/** Milliseconds since 1970; a date without a time zone is in the workflow's. Undefined where not set. */
export function parseTime(
	context: IExecuteFunctions,
	displayName: string,
	value: unknown,
	itemIndex: number,
): number | undefined {
	if (value === undefined || value === null || value === '') return undefined;
	try {
		return tryToParseDateTime(value, context.getTimezone()).toMillis();
	} catch {
		throw parameterError(
			context,
			displayName,
			value,
			'Enter a date such as 2026-01-31T09:00:00Z.',
			itemIndex,
		) as NodeOperationError;
	}
}

export function readOutputOptions(context: ParameterContext, itemIndex = 0): OutputOptions {
	const options = read(context, 'options', itemIndex) as Partial<OutputOptions>;
	return {
		simplify: read(context, 'simplify', itemIndex) !== false,
		answerKeys: options.answerKeys === 'fieldId' ? 'fieldId' : 'label',
		answerValues: options.answerValues === 'rawValue' ? 'rawValue' : 'value',
		flattenAnswers: options.flattenAnswers === true,
		include: PARTS.filter((part) => [options.include].flat().includes(part)),
	};
}
