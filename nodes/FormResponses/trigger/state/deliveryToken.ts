import { createHash, randomBytes, timingSafeEqual } from 'crypto';

/**
 * Proves that a delivery belongs to a hook of this node, as part of the target URL: a secret per subscription,
 * and its generation, which grows with each subscription of the node.
 */
export interface DeliveryToken {
	generation: number;
	token: string;
}

/** The stored form of a delivery token: everyone who may read the workflow can read it. */
export interface StoredKey {
	generation: number;
	/** SHA-256 of the token, in hexadecimal. */
	hash: string;
}

const PARAMETER = 'key';
const WELL_FORMED = /^(\d{13,15})\.([A-Za-z0-9_-]{43})$/;

export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** @param after the generation of the node's last token; the new one is higher */
export function newToken(now: number, after = 0): DeliveryToken {
	return {
		generation: Math.max(now, after + 1),
		token: randomBytes(32).toString('base64url'),
	};
}

export const toStoredKey = ({ generation, token }: DeliveryToken): StoredKey => ({
	generation,
	hash: hashOf(token),
});

export function withToken(webhookUrl: string, { generation, token }: DeliveryToken): string {
	const url = new URL(webhookUrl);
	url.searchParams.set(PARAMETER, `${generation}.${token}`);
	return url.toString();
}

/** Undefined if the query has no valid token. */
export function tokenIn(query: unknown): DeliveryToken | undefined {
	const value = (query as Record<string, unknown> | undefined)?.[PARAMETER];
	const match = typeof value === 'string' ? WELL_FORMED.exec(value) : null;
	return match ? { generation: Number(match[1]), token: match[2] } : undefined;
}

/** Compares all keys, so that the time taken reveals nothing. */
export function isAmong(keys: StoredKey[], { generation, token }: DeliveryToken): boolean {
	const hash = Buffer.from(hashOf(token));
	const isSame = (key: StoredKey) => {
		const stored = Buffer.from(key.hash);
		return stored.length === hash.length && timingSafeEqual(stored, hash);
	};
	return keys.filter(isSame).some((key) => key.generation === generation);
}
