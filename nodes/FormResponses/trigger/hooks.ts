import type { IHookFunctions, ITriggerFunctions, NodeApiError } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { createHook, deleteHook } from '../transport/endpoints';
import { isAllowanceError } from '../transport/errors';
import { connect } from '../transport/request';
import type { Api, Authentication, Hook } from '../transport/types';
import type { TriggerState } from './state';
import { timing } from './timing';

export type HookContext = IHookFunctions | ITriggerFunctions;

/** Opens the door to the service for a call of n8n's that may not take long. */
export async function open(
	context: HookContext,
	authentication: Authentication,
	{ token, baseUrl }: { token?: string; baseUrl?: string } = {},
): Promise<Api> {
	return await connect(context, {
		authentication,
		baseUrl,
		totalWaitMs: timing.lifecycleWaitMs,
		timeoutMs: timing.lifecycleWaitMs,
		secrets: token === undefined ? [] : [token],
	});
}

/** Removes the hook of an earlier subscription; one that is already gone is a success. */
export async function removeHook(context: HookContext, state: TriggerState): Promise<void> {
	if (state.hookId === undefined) return;
	const api = await open(context, 'oAuth2', { baseUrl: state.baseUrl });
	if (new URL(api.baseUrl).origin !== new URL(state.baseUrl).origin) {
		// The token belongs to the credential's own origin only.
		context.logger.warn(
			`Hook ${state.hookId} was made at ${new URL(state.baseUrl).origin}, which the credential no longer points to, so it is not removed there. Its next delivery is refused.`,
		);
		return;
	}
	await deleteHook(api, state.hookId);
}

/** `removeHook` where a failure must not undo what was reached: the hook then refuses itself (410). */
export async function tryToRemoveHook(context: HookContext, state: TriggerState): Promise<boolean> {
	try {
		await removeHook(context, state);
		return true;
	} catch (error) {
		context.logger.warn(`Hook ${state.hookId} could not be removed: ${(error as Error).message}`);
		return false;
	}
}

/** Tries to remove a hook, longer and longer apart, until it is gone or nobody wants it gone any more. */
export async function keepRemovingHook(
	context: HookContext,
	state: TriggerState,
	forMs: number,
	isStillWanted: () => boolean = () => true,
): Promise<boolean> {
	const giveUpAt = Date.now() + forMs;
	let wait = timing.firstRetryMs;
	for (; Date.now() + wait <= giveUpAt; wait = Math.min(wait * 2, timing.longestRetryMs)) {
		await sleep(wait);
		if (!isStillWanted()) return false;
		if (await tryToRemoveHook(context, state)) return true;
	}
	return false;
}

/** Removes the hook that a new one has replaced, now or in the background. */
export async function removeReplacedHook(context: HookContext, state: TriggerState) {
	if (await tryToRemoveHook(context, state)) return;
	void keepRemovingHook(context, state, timing.removalMs);
}

/**
 * Makes a hook while the earlier one still delivers, unless the allowance of subscriptions refuses it.
 *
 * @param onRemoved called when the earlier hook had to go first
 * @throws NodeApiError; nothing is repeated that the service may have done already
 */
export async function createInPlaceOf(
	context: HookContext,
	api: Api,
	previous: TriggerState | undefined,
	{ formId, targetUrl }: { formId: string; targetUrl: string },
	onRemoved: () => void,
): Promise<Hook> {
	try {
		return await createHook(api, formId, targetUrl);
	} catch (error) {
		const mayMakeRoom = previous?.hookId !== undefined && isAllowanceError(error as Error);
		if (!mayMakeRoom || !(await tryToRemoveHook(context, previous))) {
			throw error as NodeApiError;
		}
		onRemoved();
		return await createHook(api, formId, targetUrl);
	}
}
