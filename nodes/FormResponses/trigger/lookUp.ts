import type { IWebhookFunctions } from 'n8n-workflow';
import { getResponse } from '../transport/endpoints';
import { connect } from '../transport/request';
import type { ResponseEnvelope } from '../transport/types';
import { identityOf } from './identity';
import type { TriggerState } from './state';
import { timing } from './timing';

const LOOK_UPS = 30;

/** When each node looked up lately, in this process. */
const lookUps = new Map<string, number[]>();

/** Whoever knows the URL can send keys that nobody knows: the user's token is not spent on all of them. */
function mayLookUp(context: IWebhookFunctions): boolean {
	const node = identityOf(context);
	const lately = (lookUps.get(node) ?? []).filter((at) => at > Date.now() - timing.lookUpsPerMs);
	const isAllowed = lately.length < LOOK_UPS;
	lookUps.set(node, isAllowed ? [...lately, Date.now()] : lately);
	return isAllowed;
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
	if (!mayLookUp(context)) return undefined;
	try {
		const limits = { totalWaitMs: timing.lookUpMs, timeoutMs: timing.lookUpMs };
		const api = await connect(context, { authentication: 'oAuth2', ...limits });
		const found = await getResponse(api, data.responseId);
		const isOurs = found.data.formId.toLowerCase() === formId && isRecent(found, state);
		return isOurs ? found : undefined;
	} catch (error) {
		context.logger.warn(
			`A delivery with an unknown key could not be looked up: ${(error as Error).message}`,
		);
		return undefined;
	}
}
