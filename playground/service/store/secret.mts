import { createHash, randomBytes } from 'node:crypto';

/** Every substring that may be a secret; matches can overlap. */
export const candidatesIn = (text: string): string[] =>
	[...text.matchAll(/(?=([\w-]{43}))/g)].flatMap(([, candidate]) => candidate ?? []);

export const newSecret = (): string => randomBytes(32).toString('base64url');

/** Tokens are stored as digests only. */
export const digest = (secret: string): string =>
	createHash('sha256').update(secret).digest('base64url');
