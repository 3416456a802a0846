import type { IWebhookFunctions } from 'n8n-workflow';
import { readClientSecret } from '../../transport/request';
import type { DeliveryToken } from '../state/deliveryToken';
import { isHashOf, isSigned } from '../state/deliveryToken';
import { identityOf, perNode } from '../state/identity';
import type { NO_KEY } from '../state/state';
import { subscriptionOf } from '../state/storedState';
import { timing } from '../timing';

/** Whoever knows the URL can send keys that nobody can check: how many start a run in a minute. */
const UNCHECKED = 30;

type StoredKey = typeof NO_KEY;

/** Whether it is the live key that n8n has stored. */
export const isStored = ({ generation, hash }: StoredKey, token?: DeliveryToken): boolean =>
	token?.generation === generation && isHashOf(hash, token);

/** Many deliveries that come at once, or are made up, share one reading of the credential. */
const readingOf = perNode(() => ({ begunAt: -Infinity, secret: Promise.resolve('') }));

async function secretOf(context: IWebhookFunctions, node: string): Promise<string> {
	const reading = readingOf(node);
	if (performance.now() >= reading.begunAt + timing.secretMs) {
		reading.begunAt = performance.now();
		reading.secret = readClientSecret(context, timing.checkMs);
	}
	return await reading.secret;
}

const uncheckedOf = perNode(() => ({ since: -Infinity, count: 0 }));

function mayPass(node: string): boolean {
	const unchecked = uncheckedOf(node);
	const now = performance.now();
	if (now >= unchecked.since + timing.uncheckedMs)
		Object.assign(unchecked, { since: now, count: 0 });
	return ++unchecked.count <= UNCHECKED;
}

/**
 * - `true`: n8n made the key.
 * - `unchecked`: a public client has no secret to sign with. The run asks the service.
 * - `false`: n8n did not make the key.
 * - `unknown`: that cannot be said now.
 */
export type Proof = boolean | 'unchecked' | 'unknown';

/**
 * Whether n8n made a key that is not stored, nor older than the live one: n8n stores a key late, and may lose it.
 * Reads the credential, which may take a while.
 */
export async function proofOf(
	context: IWebhookFunctions,
	stored: StoredKey,
	token: DeliveryToken,
): Promise<Proof> {
	const identity = identityOf(context);
	try {
		const secret = await secretOf(context, identity);
		if (isSigned(token, { secret, identity })) return true;
		const isLive = token.generation === stored.generation;
		if (secret !== '' || isLive || subscriptionOf(context)?.isMade) return false;
		return mayPass(identity) ? 'unchecked' : 'unknown';
	} catch {
		return 'unknown';
	}
}
