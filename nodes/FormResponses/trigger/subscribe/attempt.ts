import type { NodeApiError } from 'n8n-workflow';
import { readAuthentication, readFormId, readPollInterval } from '../../parameters';
import { mayBeDone } from '../../transport/errors';
import type { Api } from '../../transport/types';
import type { DeliveryToken } from '../state/deliveryToken';
import { newToken, tokenIn, withToken } from '../state/deliveryToken';
import type { HookContext } from './hooks';
import { assertReachable, createReplacement, open, removeUnneededHook } from './hooks';
import { startOf, startOfPolling } from './start';
import type { Place, Start, TriggerState } from '../state/state';
import { maxGeneration, transitions } from '../state/state';
import type { Subscription } from '../state/storedState';
import { isUnchanged, remember, subscriptionOf } from '../state/storedState';

/** One try to get the responses of a form delivered, or to begin to poll. */
export interface Attempt {
	context: HookContext;
	/** The node's URL in this n8n. */
	webhookUrl: string;
	previous: TriggerState | undefined;
	/** The URL of an attempt before, with its key, if the service made no hook for it. */
	targetUrl?: string;
	/** Whether the trigger runs whatever comes of the attempt. */
	isStart: boolean;
	/** When to give up, in milliseconds. */
	endsAt: number;
	/** Throws if the service is not to be asked now. */
	assertResponsive?(): void;
	/** Keeps what is known now. */
	save(context: HookContext, subscription: Subscription): void;
}

/** Leaves alone hooks for another address, which may be in use there. */
export async function removeEarlierHook(
	context: HookContext,
	previous: TriggerState,
	webhookUrl: string,
	endsAt: number,
): Promise<void> {
	if (previous.hookId === undefined) return;
	if (previous.webhookUrl === webhookUrl) {
		return await removeUnneededHook(context, previous, endsAt);
	}
	context.logger.warn(
		`Hook ${previous.hookId} delivers to ${new URL(previous.webhookUrl).origin} and is left alone, because this n8n is at ${new URL(webhookUrl).origin}. If that address is no longer in use, remove the hook with Form Responses: Hook: Delete.`,
	);
}

/** The state to store before the request: the service may create the hook while its reply is lost. */
function sentState(
	{ previous, targetUrl, isStart }: Attempt,
	place: Place,
	token: DeliveryToken,
	start: Start,
): TriggerState {
	const isKnown = targetUrl !== undefined && previous !== undefined;
	const sent = isKnown ? previous : transitions.keySent(previous, place, token);
	return isStart ? transitions.started(sent, place, start, 'subscribed') : sent;
}

/** Asks for a hook, and keeps in mind what came of it. */
async function makeHook(attempt: Attempt, api: Api, place: Place, sent: TriggerState, url: string) {
	const { context, previous, endsAt } = attempt;
	const note = (known: Partial<Subscription>) => {
		if (isUnchanged(context, sent)) remember(context, { ...subscriptionOf(context), ...known });
	};
	try {
		attempt.assertResponsive?.();
		return await createReplacement(
			context,
			api,
			previous?.webhookUrl === place.webhookUrl ? previous : undefined,
			{ ...place, targetUrl: url, endsAt },
			() => note({ isHookLost: true }),
		);
	} catch (error) {
		// The next key outdates that of a hook that may exist, so its delivery removes it.
		note({ targetUrl: mayBeDone(error as Error) ? undefined : url });
		throw error as NodeApiError;
	}
}

async function subscribeTo(attempt: Attempt, api: Api, place: Place, token: DeliveryToken) {
	const { context, previous, endsAt, isStart, save } = attempt;
	const { webhookUrl } = place;
	const startAt = startOf(context, previous, place.formId);
	const sent = sentState(attempt, place, token, startAt(new Date(Date.now()).toISOString()));
	if (!isStart) assertReachable(context, api.baseUrl, webhookUrl);
	save(context, { ...subscriptionOf(context), state: sent });
	if (isStart) assertReachable(context, api.baseUrl, webhookUrl);
	const targetUrl = withToken(webhookUrl, token);
	const { id: hookId, createdAt } = await makeHook(attempt, api, place, sent, targetUrl);
	const made = { hookId, generation: token.generation, ...startAt(createdAt) };
	const state = transitions.subscribed(sent, place, made);
	if (!isUnchanged(context, sent)) {
		context.logger.warn('The workflow was unpublished while the trigger subscribed.');
		await removeUnneededHook(context, state, endsAt);
		return false;
	}
	save(context, { state, targetUrl });
	if (previous && previous.hookId !== hookId) {
		await removeEarlierHook(context, previous, webhookUrl, endsAt);
	}
	return true;
}

/** The key of the attempt before, if its URL is known. */
function tokenOf({ previous, targetUrl }: Attempt): DeliveryToken {
	const query = targetUrl && Object.fromEntries(new URL(targetUrl).searchParams);
	return tokenIn(query) ?? newToken(Date.now(), maxGeneration(previous));
}

/**
 * @returns false if the workflow was unpublished meanwhile
 * @throws NodeOperationError, NodeApiError; an earlier subscription is as it was
 */
export async function attemptToSubscribe(attempt: Attempt): Promise<boolean> {
	const { context, webhookUrl, previous, endsAt, save } = attempt;
	const authentication = readAuthentication(context);
	const isPolling = authentication === 'apiKey';
	const place = { formId: readFormId(context), webhookUrl };
	if (isPolling) readPollInterval(context);
	const token = tokenOf(attempt);
	const before = subscriptionOf(context)?.state;
	const api = await open(context, authentication, { token: token.token, endsAt });
	const polled = isPolling && (await startOfPolling(context, api, previous, place.formId));
	if (!isUnchanged(context, before)) return false;
	if (!polled) return await subscribeTo(attempt, api, place, token);
	save(context, { state: transitions.polling(previous, place, polled, Date.now()) });
	return true;
}
