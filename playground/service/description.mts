import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const text = readFileSync(new URL('openapi.yaml', import.meta.url), 'utf8');

/** The API in OpenAPI. */
export const description: { paths: Record<string, object> } = parse(text, { merge: true });
