import { createHash, randomBytes, timingSafeEqual } from 'crypto';

/** Makes deliveries to a hook's URL recognizable. Its first part tells older keys from younger ones, and nothing else. */
export interface Key {
	/** Milliseconds, in n8n's clock; always later than that of the node's last key. */
	madeAt: number;
	/** Both parts, as the URL has them. */
	text: string;
}

/** What n8n stores of a key, as everyone who may read the workflow can read it. */
export interface StoredKey {
	/** 0 without a key. */
	keyMadeAt: number;
	/** SHA-256 of its text, in hexadecimal; '' without a key. */
	keyHash: string;
}

export const NO_KEY: StoredKey = { keyMadeAt: 0, keyHash: '' };

const PARAMETER = 'key';
const BYTES = 32;
const WELL_FORMED = /^(\d{13,15})\.[A-Za-z0-9_-]{43}$/;

const hashOf = ({ text }: Key): string => createHash('sha256').update(text).digest('hex');

export const stored = (key: Key): StoredKey => ({ keyMadeAt: key.madeAt, keyHash: hashOf(key) });

/** Now, in milliseconds, or the earliest after a time: a clock may be set back. */
export const laterThan = (after: number, now: number): number => Math.max(now, after + 1);

/** @param now milliseconds @param after when the node's last key was made; 0 for the first */
export function newKey(now: number, after = 0): Key {
	const madeAt = laterThan(after, now);
	return { madeAt, text: `${madeAt}.${randomBytes(BYTES).toString('base64url')}` };
}

export function withKey(webhookUrl: string, { text }: Key): string {
	const url = new URL(webhookUrl);
	url.searchParams.set(PARAMETER, text);
	return url.toString();
}

/** Undefined if the query has no well-formed key. */
export function keyIn(query: unknown): Key | undefined {
	const text = (query as Record<string, unknown> | undefined)?.[PARAMETER];
	const match = typeof text === 'string' ? WELL_FORMED.exec(text) : null;
	return match ? { madeAt: Number(match[1]), text: match[0] } : undefined;
}

export function isStored({ keyHash }: StoredKey, key: Key): boolean {
	const [stored, own] = [keyHash, hashOf(key)].map((text) => Buffer.from(text));
	return stored.length === own.length && timingSafeEqual(stored, own);
}
