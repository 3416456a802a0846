import { createHash, randomBytes, timingSafeEqual } from 'crypto';

/**
 * What a hook's target URL carries to prove that a delivery was asked for: a secret that is new with
 * each subscription, and its generation, which grows with each subscription of the node.
 */
export interface DeliveryToken {
	generation: number;
	token: string;
}

/** A delivery token as it is stored, where everybody who may read the workflow can read it. */
export interface KeptKey {
	generation: number;
	/** SHA-256 of the token, in hexadecimal. */
	hash: string;
	/** The form that it was made for. */
	formId: string;
}

const PARAMETER = 'key';
const WELL_FORMED = /^(\d{13,15})\.([A-Za-z0-9_-]{43})$/;

export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** @param after the generation of the node's last token, so that the new one is younger */
export function newToken(now: number, after = 0): DeliveryToken {
	return {
		generation: Math.max(now, after + 1),
		token: randomBytes(32).toString('base64url'),
	};
}

export const keep = ({ generation, token }: DeliveryToken, formId: string): KeptKey => ({
	generation,
	hash: hashOf(token),
	formId,
});

export function withToken(webhookUrl: string, { generation, token }: DeliveryToken): string {
	const url = new URL(webhookUrl);
	url.searchParams.set(PARAMETER, `${generation}.${token}`);
	return url.toString();
}

/** The token in a delivery's query; undefined where there is none or it is not well formed. */
export function tokenIn(query: unknown): DeliveryToken | undefined {
	const value = (query as Record<string, unknown> | undefined)?.[PARAMETER];
	const match = typeof value === 'string' ? WELL_FORMED.exec(value) : null;
	return match ? { generation: Number(match[1]), token: match[2] } : undefined;
}

/** The key that was kept of a token; all are compared, so that the time taken does not tell which came close. */
export function keptKeyOf(keys: KeptKey[], { generation, token }: DeliveryToken) {
	const hash = Buffer.from(hashOf(token));
	const isSame = (key: KeptKey) => {
		const kept = Buffer.from(key.hash);
		return kept.length === hash.length && timingSafeEqual(kept, hash);
	};
	return keys.filter((key) => isSame(key) && key.generation === generation)[0];
}
