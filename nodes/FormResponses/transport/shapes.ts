import type { Shape } from './types';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

type Json = Record<string, unknown>;

export function isUuid(value: unknown): value is string {
	return typeof value === 'string' && UUID.test(value);
}

export function isObject(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The place of what is odd inside a part of a value. */
export const inside = (part: string, odd: string): string =>
	odd === '' || odd.startsWith('[') ? part + odd : `${part}.${odd}`;

const valueThat =
	(fits: (value: unknown) => boolean): Shape =>
	(value) =>
		fits(value) ? undefined : '';

const anyObject = valueThat(isObject);
const text = valueThat((value) => typeof value === 'string');
const uuid = valueThat(isUuid);
const time = valueThat((value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)));

const orNull =
	(shape: Shape): Shape =>
	(value) =>
		value === null ? undefined : shape(value);

function listOf(shape: Shape): Shape {
	return (value) => {
		if (!Array.isArray(value)) return '';
		for (const [index, item] of value.entries()) {
			const odd = shape(item);
			if (odd !== undefined) return inside(`[${index}]`, odd);
		}
		return undefined;
	};
}

function objectOf(fields: Record<string, Shape>): Shape {
	const entries = Object.entries(fields);
	return (value) => {
		if (!isObject(value)) return '';
		for (const [name, shape] of entries) {
			const odd = shape(value[name]);
			if (odd !== undefined) return inside(name, odd);
		}
		return undefined;
	};
}

const identity = { formId: uuid, responseId: uuid, completedAt: time };

/** What must be readable of a completed Response for it to run, once and for the right form. */
export const identifiedResponse = objectOf({ data: objectOf(identity) });

/**
 * The documented envelope of a completed Response. An answer's `type`, `value` and `rawValue` are left
 * open, because the API does not say which values there are.
 */
export const responseEnvelope = objectOf({
	createdAt: time,
	data: objectOf({
		...identity,
		formTitle: text,
		respondentEmail: orNull(text),
		answers: listOf(objectOf({ fieldId: text, label: text })),
		fields: anyObject,
		hiddenFields: anyObject,
		metadata: anyObject,
	}),
});

/** A list in which an odd item does not hide the others. */
function listOfSome(shape: Shape): Shape {
	return (value) => {
		if (!Array.isArray(value)) return '';
		const odd = value.map((item) => shape(item));
		const [first] = odd;
		return first === undefined || odd.includes(undefined) ? undefined : inside('[0]', first);
	};
}

export const responseList = objectOf({ data: listOfSome(identifiedResponse) });

export const formPage = objectOf({
	data: listOf(objectOf({ id: text, updatedAt: time })),
	nextCursor: orNull(text),
});

export const hook = objectOf({ id: uuid, formId: uuid, targetUrl: text, createdAt: time });

export const tokenIdentity = objectOf({
	workspace: anyObject,
	user: orNull(anyObject),
	scope: text,
});

/** A 204 has no body; n8n's request helper gives an empty string for it. */
export const noBody = valueThat((value) => value === undefined || value === null || value === '');
