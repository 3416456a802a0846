import type { ITriggerFunctions } from 'n8n-workflow';
import { isRefusal } from '../transport/errors';
import { newToken, tokenIn, withToken } from './deliveryToken';
import { createReplacement, open, removeReplacedHook } from './hooks';
import { maxGeneration, transitions } from './state';
import type { Subscription } from './storedState';
import { isUnchanged, productionState, remember, subscriptionOf } from './storedState';

/**
 * Reuses the live target URL, so that every process accepts deliveries of the new hook. If another process made
 * the subscription, the URL is unknown: other processes look deliveries to a new one up.
 */
function targetOf({ state, targetUrl }: Subscription) {
	if (targetUrl !== undefined) return { targetUrl, generation: state.generation, sent: state };
	const token = newToken(Date.now(), maxGeneration(state));
	return {
		targetUrl: withToken(state.webhookUrl, token),
		generation: token.generation,
		sent: transitions.keySent(state, state, token),
	};
}

/**
 * Replaces the hook of a running trigger. Only this process knows the new hook, because only hook methods write
 * static data. After the next start of n8n it is a generation behind, and its next delivery removes it.
 *
 * @returns whether the trigger has a live hook; false if it was unpublished meanwhile
 * @throws NodeApiError, NodeOperationError of the service
 */
export async function renew(context: ITriggerFunctions): Promise<boolean> {
	const state = productionState(context);
	if (state?.status !== 'subscribed') return false;
	const before: Subscription = { ...subscriptionOf(context), state };
	const { targetUrl, generation, sent } = targetOf(before);
	const { searchParams } = new URL(targetUrl);
	const { token } = tokenIn(Object.fromEntries(searchParams)) ?? {};
	const api = await open(context, 'oAuth2', { token, baseUrl: state.baseUrl });
	// Stored before the request: the service may create the hook while its reply is lost.
	remember(context, { ...before, state: sent, isRenewalDue: true });
	const note = (known: Partial<Subscription>) => {
		if (isUnchanged(context, sent)) {
			remember(context, { ...subscriptionOf(context), ...known, state: sent });
		}
	};
	const target = { formId: state.formId, targetUrl };
	const loseHook = () => note({ isHookLost: true });
	const hook = await createReplacement(context, api, state, target, loseHook).catch(
		(error: Error) => {
			// Unless the service refused, the hook may exist: the next key outdates it, so its delivery removes it.
			if (!isRefusal(error)) note({ targetUrl: undefined });
			throw error;
		},
	);
	const { since, baseline, nodeId } = state;
	const made = transitions.subscribed(sent, state, {
		hookId: hook.id,
		madeAt: hook.createdAt,
		generation,
		since,
		baseline,
		nodeId,
	});
	if (!isUnchanged(context, sent)) {
		await removeReplacedHook(context, made);
		return false;
	}
	remember(context, { state: made, targetUrl });
	if (hook.id !== state.hookId) await removeReplacedHook(context, state);
	return true;
}
