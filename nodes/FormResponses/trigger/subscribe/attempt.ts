import { readAuthentication, readFormId, readPollInterval } from '../../parameters';
import { createHook } from '../../transport/endpoints';
import { isAllowanceError } from '../../transport/errors';
import { readClientSecret } from '../../transport/request';
import type { Api, Hook } from '../../transport/types';
import type { DeliveryToken } from '../state/deliveryToken';
import { newToken, withToken } from '../state/deliveryToken';
import type { HookContext } from './hooks';
import { assertReachable, open, removeHook, tryToRemoveHook } from './hooks';
import { serviceOf } from './resume';
import { startOf, startOfPolling } from './start';
import { readConditions } from '../onlyIf';
import { identityOf, perNode } from '../state/identity';
import { youngestGeneration } from '../state/overlap';
import type { Place, Previous, TriggerState } from '../state/state';
import { transitions } from '../state/state';
import type { Subscription } from '../state/storedState';
import { isUnchanged, remember, subscriptionOf } from '../state/storedState';

/** One try to get the responses of a form delivered, or to begin to poll. */
export interface Attempt {
	context: HookContext;
	/** The node's URL in this n8n. */
	webhookUrl: string;
	previous: Previous;
	/** Whether the trigger runs whatever comes of the attempt. */
	isStart: boolean;
	/** When to give up, in milliseconds. */
	endsAt: number;
	/** Throws if the service is not to be asked now. */
	assertResponsive?(): void;
	/** Keeps what is known now. */
	save(context: HookContext, subscription: Subscription): void;
}

/** The generation that this process sent last; its hook may exist. */
const sentOf = perNode(() => ({ generation: 0 }));

/** A key that every process of n8n can check, also before it is stored and after it is lost. */
async function tokenFor({ context, previous, endsAt }: Attempt) {
	const secret = await readClientSecret(context, endsAt - performance.now());
	const signer = { secret, identity: identityOf(context) };
	const sent = sentOf(signer.identity);
	const youngest = youngestGeneration(signer.identity, previous?.generation ?? 0);
	const token = newToken(Date.now(), Math.max(youngest, sent.generation), signer);
	sent.generation = token.generation;
	return token;
}

/** Creates a hook before the earlier one is removed, unless the allowance requires its removal first. */
async function makeHook(
	{ context, webhookUrl, endsAt }: Attempt,
	begun: TriggerState,
	create: () => Promise<Hook>,
): Promise<Hook> {
	try {
		return await create();
	} catch (error) {
		const hookId = begun.webhookUrl === webhookUrl ? begun.hookId : undefined;
		const mayMakeRoom = hookId !== undefined && isAllowanceError(error as Error);
		if (!mayMakeRoom || !(await tryToRemoveHook(context, hookId, endsAt))) throw error as Error;
	}
	const known = subscriptionOf(context);
	if (isUnchanged(context, begun)) remember(context, { ...known, isHookLost: true });
	return await create();
}

async function subscribeTo(attempt: Attempt, api: Api, place: Place, token: DeliveryToken) {
	const { context, previous, webhookUrl, isStart, endsAt, save } = attempt;
	if (!isStart) assertReachable(context, api.baseUrl, webhookUrl);
	const startAt = startOf(context, previous, place.formId);
	let begun = transitions.begun(previous, place);
	const now = new Date(Date.now()).toISOString();
	if (isStart) begun = transitions.started(begun, place, startAt(now), 'subscribed');
	save(context, { ...subscriptionOf(context), state: begun, isMade: false });
	if (isStart) assertReachable(context, api.baseUrl, webhookUrl);
	const hook = await makeHook(attempt, begun, async () => {
		attempt.assertResponsive?.();
		return await createHook(api, place.formId, withToken(webhookUrl, token));
	});
	const made = {
		hookId: hook.id,
		...serviceOf(context, api.baseUrl),
		...startAt(hook.createdAt),
	};
	const state = transitions.subscribed(place, token, made);
	if (!isUnchanged(context, begun)) {
		context.logger.warn('The workflow was unpublished while the trigger subscribed.');
		await removeHook(context, state, webhookUrl, endsAt);
		return false;
	}
	save(context, { state, isMade: true });
	if (begun.hookId !== hook.id) await removeHook(context, begun, webhookUrl, endsAt);
	return true;
}

/**
 * @returns false if the workflow was unpublished meanwhile
 * @throws NodeOperationError, NodeApiError; an earlier subscription is as it was
 */
export async function attemptToSubscribe(attempt: Attempt): Promise<boolean> {
	const { context, webhookUrl, previous, endsAt, save } = attempt;
	const place = { formId: readFormId(context), webhookUrl };
	if (!attempt.isStart) readConditions(context);
	const before = subscriptionOf(context)?.state;
	if (readAuthentication(context) === 'apiKey') {
		readPollInterval(context);
		const api = await open(context, 'apiKey', endsAt);
		const start = await startOfPolling(context, api, previous, place.formId);
		if (!isUnchanged(context, before)) return false;
		save(context, { state: transitions.polling(previous, place, start, Date.now()) });
		return true;
	}
	const token = await tokenFor(attempt);
	const api = await open(context, 'oAuth2', endsAt, [token.token]);
	return isUnchanged(context, before) && (await subscribeTo(attempt, api, place, token));
}
