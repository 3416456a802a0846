import type { Form, Hook, Page, ResponseEnvelope, TokenIdentity } from './types';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

type Json = Record<string, unknown>;

export function isUuid(value: unknown): value is string {
	return typeof value === 'string' && UUID.test(value);
}

export function isObject(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const isText = (value: unknown): value is string => typeof value === 'string';

const isTime = (value: unknown): value is string =>
	isText(value) && !Number.isNaN(Date.parse(value));

const isListOf = (value: unknown, isItem: (item: unknown) => boolean): boolean =>
	Array.isArray(value) && value.every(isItem);

function isForm(value: unknown): value is Form {
	return (
		isObject(value) &&
		isText(value.id) &&
		isText(value.title) &&
		isText(value.status) &&
		isTime(value.updatedAt)
	);
}

function isAnswer(value: unknown): boolean {
	return isObject(value) && isText(value.fieldId) && isText(value.label);
}

/**
 * The documented envelope of a completed Response. An answer's `type`, `value` and `rawValue` are
 * left open: the API document does not show their values, and refusing one would lose the response.
 */
export function isResponseEnvelope(value: unknown): value is ResponseEnvelope {
	if (!isObject(value) || !isTime(value.createdAt) || !isObject(value.data)) return false;
	const { data } = value;
	return (
		isUuid(data.formId) &&
		isUuid(data.responseId) &&
		isText(data.formTitle) &&
		(data.respondentEmail === null || isText(data.respondentEmail)) &&
		isTime(data.completedAt) &&
		isListOf(data.answers, isAnswer) &&
		isObject(data.fields) &&
		isObject(data.hiddenFields) &&
		isObject(data.metadata)
	);
}

export function isFormPage(value: unknown): value is Page<Form> {
	return (
		isObject(value) &&
		isListOf(value.data, isForm) &&
		(value.nextCursor === null || isText(value.nextCursor))
	);
}

export function isResponseList(value: unknown): value is { data: ResponseEnvelope[] } {
	return isObject(value) && isListOf(value.data, isResponseEnvelope);
}

export function isHook(value: unknown): value is Hook {
	return (
		isObject(value) &&
		isUuid(value.id) &&
		isUuid(value.formId) &&
		isText(value.targetUrl) &&
		isTime(value.createdAt)
	);
}

export function isTokenIdentity(value: unknown): value is TokenIdentity {
	return (
		isObject(value) &&
		isObject(value.workspace) &&
		(value.user === null || isObject(value.user)) &&
		isText(value.scope)
	);
}

/** A 204 has no body; n8n's request helper gives an empty string for it. */
export function isNoBody(value: unknown): value is undefined {
	return value === undefined || value === null || value === '';
}
