import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

type Method = 'get' | 'post' | 'put' | 'delete';
type Operation = { operationId: string };

const text = readFileSync(new URL('openapi.yaml', import.meta.url), 'utf8');

/** The API in OpenAPI. */
export const description: { paths: Record<string, Record<Method, Operation>> } = parse(text, {
	merge: true,
});

/** The API's routes, with its path templates in Express's notation. */
export const routes = Object.entries(description.paths).flatMap(([path, methods]) =>
	Object.entries(methods).map(([method, { operationId }]) => ({
		method: method as Method,
		path: path.replace(/\{(\w+)\}/g, ':$1'),
		operationId,
	})),
);
