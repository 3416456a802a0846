import type { ITriggerFunctions } from 'n8n-workflow';
import { isRefusal } from '../transport/errors';
import { newToken, tokenIn, withToken } from './deliveryToken';
import { createInPlaceOf, open, removeReplacedHook } from './hooks';
import { transitions, youngestGeneration } from './state';
import type { Subscription } from './storedState';
import { isUnchanged, productionState, remember, subscriptionOf } from './storedState';

/**
 * The target URL of the live subscription, so that every process accepts what the new hook delivers.
 * Where it is not known, because this process did not make the subscription, a new one: other
 * processes then look its deliveries up.
 */
function targetOf({ state, targetUrl }: Subscription) {
	if (targetUrl !== undefined) return { targetUrl, generation: state.generation, sent: state };
	const token = newToken(Date.now(), youngestGeneration(state));
	return {
		targetUrl: withToken(state.webhookUrl, token),
		generation: token.generation,
		sent: transitions.keySent(state, state, token),
	};
}

/**
 * Makes the hook of a running trigger anew. It is remembered in this process only: static data
 * belongs to the hook methods. After the next start of n8n it is of an older generation and removes
 * itself at its next delivery.
 *
 * @returns whether the trigger has a live hook now; false when it was unpublished meanwhile
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
	// Kept before it is sent: the service may make the hook and its answer be lost.
	remember(context, { ...before, state: sent, isRenewalDue: true });
	const note = (known: Partial<Subscription>) => {
		if (isUnchanged(context, sent)) {
			remember(context, { ...subscriptionOf(context), ...known, state: sent });
		}
	};
	const target = { formId: state.formId, targetUrl };
	const loseHook = () => note({ isHookLost: true });
	const hook = await createInPlaceOf(context, api, state, target, loseHook).catch(
		(error: Error) => {
			// Unless it refused, it may have made the hook: the next key makes this one an old one, which removes itself.
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
