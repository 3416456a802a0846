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
	/** When those were made that may have been an intruder's. */
	suspicious: number[];
	/** Keys of responses that were found; to ask for one of them again is suspicious. */
	found: Set<string>;
}

const lookUpsOf = perNode((): LookUps => ({ suspicious: [], found: new Set() }));

/** Whoever knows the URL can send keys that nobody knows: the user's token is not spent on all of them. */
function mayLookUp({ suspicious }: LookUps): boolean {
	while (suspicious[0] <= Date.now() - timing.lookUpsPerMs) suspicious.shift();
	if (suspicious.length >= LOOK_UPS) return false;
	suspicious.push(Date.now());
	return true;
}

/** The service delivers more than that in a burst, where n8n lost the key. */
function acquit({ suspicious, found }: LookUps, key: string) {
	if (found.has(key)) return;
	suspicious.pop();
	found.add(key);
	for (const oldest of found) {
		if (found.size <= REMEMBERED) break;
		found.delete(oldest);
	}
}

/**
 * Older responses are nobody's to run, whatever key comes with them: those from before the subscription,
 * and those that no service would be delivering only now.
 */
function isRecent({ data }: ResponseEnvelope, state: TriggerState | undefined): boolean {
	const since = state?.since ? Date.parse(state.since) : -Infinity;
	return Date.parse(data.completedAt) >= Math.max(since, Date.now() - timing.freshMs);
}

/**
 * What the API itself has of a response that came with a key which is not known here, because n8n has
 * not stored it yet or has lost it; undefined where it is not for this form or too old.
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
		const limits = { totalWaitMs: timing.lookUpMs, timeoutMs: timing.lookUpMs };
		const api = await connect(context, { authentication: 'oAuth2', ...limits });
		const found = await getResponse(api, data.responseId);
		const isOurs = found.data.formId.toLowerCase() === formId && isRecent(found, state);
		if (!isOurs) return undefined;
		acquit(lookUps, responseKey(found));
		return found;
	} catch (error) {
		context.logger.warn(
			`A delivery with an unknown key could not be looked up: ${(error as Error).message}`,
		);
		return undefined;
	}
}
