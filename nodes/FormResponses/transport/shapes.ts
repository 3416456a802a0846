import type { Shape } from './types';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

type Json = Record<string, unknown>;

export function isUuid(value: unknown): value is string {
	return typeof value === 'string' && UUID.test(value);
}

export function isObject(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const valueThat =
	(fits: (value: unknown) => boolean): Shape =>
	(value, place = '') =>
		fits(value) ? undefined : place;

const anyObject = valueThat(isObject);
const text = valueThat((value) => typeof value === 'string');
const uuid = valueThat(isUuid);
const time = valueThat((value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)));

const orNull =
	(shape: Shape): Shape =>
	(value, place) =>
		value === null ? undefined : shape(value, place);

function listOf(shape: Shape): Shape {
	return (value, place = '') => {
		if (!Array.isArray(value)) return place;
		for (const [index, item] of value.entries()) {
			const odd = shape(item, `${place}[${index}]`);
			if (odd !== undefined) return odd;
		}
		return undefined;
	};
}

function objectOf(fields: Record<string, Shape>): Shape {
	return (value, place = '') => {
		if (!isObject(value)) return place;
		for (const [name, shape] of Object.entries(fields)) {
			const odd = shape(value[name], place === '' ? name : `${place}.${name}`);
			if (odd !== undefined) return odd;
		}
		return undefined;
	};
}

const identity = { formId: uuid, responseId: uuid, completedAt: time };

/** What must be readable of a completed Response for it to run, once and for the right form. */
export const identifiedResponse = objectOf({ data: objectOf(identity) });

/**
 * The documented envelope of a completed Response. An answer's `type`, `value` and `rawValue` are left
 * open, because the API document does not show their values.
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
	return (value, place = '') => {
		if (!Array.isArray(value)) return place;
		const odd = value.map((item, index) => shape(item, `${place}[${index}]`));
		return odd.includes(undefined) ? undefined : odd[0];
	};
}

export const responseList = objectOf({ data: listOfSome(identifiedResponse) });

export const formPage = objectOf({
	data: listOf(objectOf({ id: text, title: text, status: text, updatedAt: time })),
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
