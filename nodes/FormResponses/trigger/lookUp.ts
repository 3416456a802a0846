import type { IWebhookFunctions } from 'n8n-workflow';
import { responseKey } from '../responseKey';
import { getResponse } from '../transport/endpoints';
import { connect } from '../transport/request';
import type { ResponseEnvelope } from '../transport/types';
import { perNode } from './identity';
import type { TriggerState } from './state';
import { timing } from './timing';

const LOOK_UPS = 30;
const REMEMBERED = 250;

interface LookUps {
	/** When look-ups were made that an intruder may have caused. */
	suspicious: number[];
	/** Keys of found responses; looking one up again is suspicious. */
	found: Set<string>;
}

const lookUpsOf = perNode((): LookUps => ({ suspicious: [], found: new Set() }));

/** Limits look-ups: anyone who knows the URL can send unknown keys, and each costs a request with the user's token. */
function mayLookUp({ suspicious }: LookUps): boolean {
	while (suspicious[0] <= Date.now() - timing.lookUpsPerMs) suspicious.shift();
	if (suspicious.length >= LOOK_UPS) return false;
	suspicious.push(Date.now());
	return true;
}

/** Found responses do not count: after n8n lost a key, the service may deliver many in a burst. */
function refund({ suspicious, found }: LookUps, key: string) {
	if (found.has(key)) return;
	suspicious.pop();
	found.add(key);
	for (const oldest of found) {
		if (found.size <= REMEMBERED) break;
		found.delete(oldest);
	}
}

/** Rejects responses from before the subscription, and those too old to be delivered only now. */
function isRecent({ data }: ResponseEnvelope, state: TriggerState | undefined): boolean {
	const since = state?.since ? Date.parse(state.since) : -Infinity;
	return Date.parse(data.completedAt) >= Math.max(since, Date.now() - timing.freshMs);
}

/**
 * Fetches a response whose key is unknown here, because n8n has not stored it yet or has lost it. Undefined if
 * it is for another form or too old.
 */
export async function lookUp(
	context: IWebhookFunctions,
	{ data }: ResponseEnvelope,
	formId: string | undefined,
	state: TriggerState | undefined,
): Promise<ResponseEnvelope | undefined> {
	const lookUps = lookUpsOf(context);
	if (!mayLookUp(lookUps)) return undefined;
	try {
		const api = await connect(context, { authentication: 'oAuth2', withinMs: timing.lookUpMs });
		const found = await getResponse(api, data.responseId);
		const isOurs = found.data.formId.toLowerCase() === formId && isRecent(found, state);
		if (!isOurs) return undefined;
		refund(lookUps, responseKey(found));
		return found;
	} catch (error) {
		context.logger.warn(
			`A delivery with an unknown key could not be looked up: ${(error as Error).message}`,
		);
		return undefined;
	}
}
