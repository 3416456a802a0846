import type { Page, Shape } from './types';

export const UUID = '[\\da-fA-F]{8}(?:-[\\da-fA-F]{4}){3}-[\\da-fA-F]{12}';
export const EXAMPLE_ID = '3f1c9a52-7d0e-4b8a-9c26-5e41d7f0a8b3';

const WHOLE = new RegExp(`^${UUID}$`);

type Json = Record<string, unknown>;

export function isUuid(value: unknown): value is string {
	return typeof value === 'string' && WHOLE.test(value);
}

export function isObject(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The path of a mismatch inside a part. */
export const inside = (part: string, path: string): string =>
	path === '' || path.startsWith('[') ? part + path : `${part}.${path}`;

const valueThat =
	(fits: (value: unknown) => boolean): Shape =>
	(value) =>
		fits(value) ? undefined : '';

const anyObject = valueThat(isObject);
const text = valueThat((value) => typeof value === 'string');
const uuid = valueThat(isUuid);
const cursor = valueThat((value) => typeof value === 'string' && value !== '');
const time = valueThat((value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)));

const sameAs = (id: string): Shape =>
	valueThat((value) => typeof value === 'string' && value.toLowerCase() === id.toLowerCase());

const orNull =
	(shape: Shape): Shape =>
	(value) =>
		value === null ? undefined : shape(value);

function objectOf(fields: Record<string, Shape>): Shape {
	const entries = Object.entries(fields);
	return (value) => {
		if (!isObject(value)) return '';
		for (const [name, shape] of entries) {
			const path = shape(value[name]);
			if (path !== undefined) return inside(name, path);
		}
		return undefined;
	};
}

const identity = { formId: uuid, responseId: uuid, completedAt: time };

const identified = (given: Record<string, Shape> = {}): Shape =>
	objectOf({ data: objectOf({ ...identity, ...given }) });

/** The fields that a completed Response needs to run once, for the right form. */
export const identifiedResponse = identified();

/** The same for a given form. */
export const responseOf = (formId: string): Shape => identified({ formId: sameAs(formId) });

/** The same for a given Response. */
export const responseWith = (responseId: string): Shape =>
	identified({ responseId: sameAs(responseId) });

/** An empty list, or one with at least one valid item. */
function listOfSome(shape: Shape): Shape {
	return (value) => {
		if (!Array.isArray(value)) return '';
		const paths = value.map((item) => shape(item));
		const [first] = paths;
		return first === undefined || paths.includes(undefined) ? undefined : inside('[0]', first);
	};
}

export const responseList = (formId: string): Shape =>
	objectOf({ data: listOfSome(responseOf(formId)) });

export const identifiedForm = objectOf({ id: uuid });

const pageOfForms = objectOf({ data: listOfSome(identifiedForm), nextCursor: orNull(cursor) });

/** Only the last page may be empty; otherwise a list could go on forever. */
export const formPage: Shape = (value) => {
	const path = pageOfForms(value);
	if (path !== undefined) return path;
	const { data, nextCursor } = value as Page<unknown>;
	return data.length === 0 && nextCursor !== null ? 'nextCursor' : undefined;
};

/** The service may respell the target URL. */
export const hookOf = (formId: string): Shape =>
	objectOf({ id: uuid, formId: sameAs(formId), targetUrl: text, createdAt: time });

export const tokenIdentity = objectOf({
	workspace: anyObject,
	user: orNull(anyObject),
	scope: text,
});

/** n8n's request helper gives '' for the missing body of a 204. */
export const noBody = valueThat((value) => (value ?? '') === '');
