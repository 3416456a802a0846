import { createHash, randomBytes } from 'node:crypto';

export const newSecret = (): string => randomBytes(32).toString('base64url');

/** Tokens and codes are kept as digests only. */
export const digest = (secret: string): string =>
	createHash('sha256').update(secret).digest('base64url');
