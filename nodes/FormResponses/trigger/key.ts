import { randomBytes, timingSafeEqual } from 'crypto';

/**
 * What a hook's target URL carries to prove that a delivery was asked for: a secret that is new with
 * each subscription, and its generation, which grows with each subscription of the node.
 */
export interface DeliveryKey {
	generation: number;
	token: string;
}

const PARAMETER = 'key';
const WELL_FORMED = /^(\d{13,15})\.([A-Za-z0-9_-]{43})$/;

/** @param after the generation of the node's last key, so that the new one is younger */
export function newKey(now: number, after = 0): DeliveryKey {
	return {
		generation: Math.max(now, after + 1),
		token: randomBytes(32).toString('base64url'),
	};
}

export function withKey(webhookUrl: string, { generation, token }: DeliveryKey): string {
	const url = new URL(webhookUrl);
	url.searchParams.set(PARAMETER, `${generation}.${token}`);
	return url.toString();
}

/** The key in a delivery's query; undefined where there is none or it is not well formed. */
export function keyIn(query: unknown): DeliveryKey | undefined {
	const value = (query as Record<string, unknown> | undefined)?.[PARAMETER];
	const match = typeof value === 'string' ? WELL_FORMED.exec(value) : null;
	return match ? { generation: Number(match[1]), token: match[2] } : undefined;
}

export function isSameKey(a: DeliveryKey, b: DeliveryKey): boolean {
	const [left, right] = [Buffer.from(a.token), Buffer.from(b.token)];
	const isSameToken = left.length === right.length && timingSafeEqual(left, right);
	return isSameToken && a.generation === b.generation;
}
