import { createHash, randomBytes } from 'node:crypto';

/** Whatever may be a secret, also where letters stand beside it: texts that overlap. */
export const candidatesIn = (text: string): string[] =>
	[...text.matchAll(/(?=([\w-]{43}))/g)].flatMap(([, candidate]) => candidate ?? []);

export const newSecret = (): string => randomBytes(32).toString('base64url');

/** Tokens are kept as digests only. */
export const digest = (secret: string): string =>
	createHash('sha256').update(secret).digest('base64url');
