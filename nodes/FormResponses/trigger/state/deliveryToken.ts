import { createHash, createHmac, randomBytes, timingSafeEqual } from 'crypto';

/**
 * Proves that a delivery belongs to a hook of this node, as part of the target URL: a secret per subscription,
 * and its generation, which grows with each subscription of the node.
 */
export interface DeliveryToken {
	generation: number;
	/** A random half and a half that signs it; both are random without a secret to sign with. */
	token: string;
}

/** What a token is signed for, and with. */
export interface Signer {
	/** Of the credential, so that every process of n8n has it; empty for a public client. */
	secret: string;
	/** The node, as `identityOf` gives it. */
	identity: string;
}

const PARAMETER = 'key';
const HALF = 16;
const WELL_FORMED = /^(\d{13,15})\.([A-Za-z0-9_-]{43})$/;

/** What n8n stores of a token, as everyone who may read the workflow can read it: its SHA-256, in hexadecimal. */
export const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** The random half keeps the stored hash from telling a weak secret. */
const signatureOf = ({ secret, identity }: Signer, generation: number, random: Buffer) =>
	createHmac('sha256', secret)
		.update(JSON.stringify(['delivery', identity, generation, random.toString('hex')]))
		.digest()
		.subarray(0, HALF);

/** Grows with each subscription. @param now milliseconds @param after 0 for the first */
export const nextGeneration = (now: number, after = 0): number => Math.max(now, after + 1);

/** @param after the generation of the node's last token */
export function newToken(now: number, after = 0, signer?: Signer): DeliveryToken {
	const generation = nextGeneration(now, after);
	const random = randomBytes(HALF);
	const half = signer?.secret ? signatureOf(signer, generation, random) : randomBytes(HALF);
	return { generation, token: Buffer.concat([random, half]).toString('base64url') };
}

/** Whether the token was made with this secret for this node. */
export function isSigned({ generation, token }: DeliveryToken, signer: Signer): boolean {
	const bytes = Buffer.from(token, 'base64url');
	// The last letter has two bits that no byte holds.
	const isExact = bytes.length === 2 * HALF && bytes.toString('base64url') === token;
	if (!signer.secret || !isExact) return false;
	const signature = signatureOf(signer, generation, bytes.subarray(0, HALF));
	return timingSafeEqual(bytes.subarray(HALF), signature);
}

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

export function isHashOf(hash: string, { token }: DeliveryToken): boolean {
	const [stored, own] = [hash, hashOf(token)].map((text) => Buffer.from(text));
	return stored.length === own.length && timingSafeEqual(stored, own);
}
