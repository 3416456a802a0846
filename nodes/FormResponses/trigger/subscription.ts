import type { IHookFunctions } from 'n8n-workflow';
import { NodeOperationError, sleep } from 'n8n-workflow';
import { read, readAuthentication, readFormId, readWholeNumber } from '../parameters';
import { createHook, deleteHook, listResponses, MAX_RESPONSES } from '../transport/endpoints';
import { connect } from '../transport/request';
import type { Api, Authentication } from '../transport/types';
import { newKey, withKey } from './key';
import { canReach } from './reachable';
import { assertOwnUrlAnswers, deliverSample } from './sample';
import type { SubscriptionState } from './state';
import { saveState, stateOf } from './state';

/** n8n calls `create` up to five times inside 84 seconds, and `delete` up to three times. */
const LIFECYCLE_WAIT_MS = 20_000;
const KEPT_KEYS = 6;
/** A workflow that was inactive for longer starts anew; a shorter gap is a re-publish. */
const RE_PUBLISH_MS = 5 * 60_000;
const TEST_HOOK_REMOVAL_TRIES = 6;

async function open(
	context: IHookFunctions,
	authentication: Authentication,
	{ token, baseUrl }: { token: string; baseUrl?: string },
) {
	return await connect(context, {
		authentication,
		baseUrl,
		totalWaitMs: LIFECYCLE_WAIT_MS,
		timeoutMs: LIFECYCLE_WAIT_MS,
		secrets: [token],
	});
}

/** Whether the node goes on where the earlier subscription ended, or starts anew. */
function continues(
	context: IHookFunctions,
	previous: SubscriptionState | undefined,
	formId: string,
	baseUrl: string,
): previous is SubscriptionState {
	if (previous?.since === undefined) return false;
	if (previous.formId !== formId || previous.baseUrl !== baseUrl) return false;
	const { whileInactive } = read(context, 'options') as { whileInactive?: string };
	const wasActive =
		previous.stoppedAt === undefined || Date.now() - previous.stoppedAt < RE_PUBLISH_MS;
	return wasActive || whileInactive === 'process';
}

function assertReachable(context: IHookFunctions, baseUrl: string, webhookUrl: string) {
	if (canReach(baseUrl, webhookUrl)) return;
	const message = `The form service at ${new URL(baseUrl).host} cannot reach this n8n at ${new URL(webhookUrl).origin}, which is a local address. Set the environment variable WEBHOOK_URL of n8n to its public address and restart n8n.`;
	throw new NodeOperationError(context.getNode(), message);
}

async function removeHook(context: IHookFunctions, state: SubscriptionState): Promise<void> {
	if (state.hookId === undefined) return;
	const api = await open(context, 'oAuth2', state);
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
async function tryToRemoveHook(
	context: IHookFunctions,
	state: SubscriptionState,
): Promise<boolean> {
	try {
		await removeHook(context, state);
		return true;
	} catch (error) {
		context.logger.warn(`An earlier hook could not be removed: ${(error as Error).message}`);
		return false;
	}
}

async function removeTestHook(context: IHookFunctions, state: SubscriptionState): Promise<void> {
	for (let tries = 1; tries <= TEST_HOOK_REMOVAL_TRIES; tries++) {
		if (await tryToRemoveHook(context, state)) return;
		await sleep(1_000 * 2 ** tries);
	}
}

/** Creates the new hook while the earlier one still delivers, unless the allowance is used up. */
async function createInPlaceOf(
	context: IHookFunctions,
	api: Api,
	previous: SubscriptionState | undefined,
	formId: string,
	targetUrl: string,
) {
	try {
		return await createHook(api, formId, targetUrl);
	} catch (error) {
		const { httpCode } = error as { httpCode?: string };
		const mayBeAllowance = httpCode === '400' && previous?.hookId !== undefined;
		if (!mayBeAllowance || !(await tryToRemoveHook(context, previous))) {
			throw error as NodeOperationError;
		}
	}
	return await createHook(api, formId, targetUrl);
}

async function startPolling(
	context: IHookFunctions,
	api: Api,
	formId: string,
): Promise<Pick<SubscriptionState, 'since' | 'old'>> {
	const previous = stateOf(context);
	if (continues(context, previous, formId, api.baseUrl)) {
		return { since: previous.since, old: previous.old };
	}
	const newest = await listResponses(api, formId, MAX_RESPONSES);
	return {
		since: newest[0]?.data.completedAt ?? '',
		old: newest.map(({ data }) => data.responseId),
	};
}

/** Subscribes to the form, or starts polling it, or shows the test listener the latest response. */
export async function subscribe(context: IHookFunctions): Promise<boolean> {
	const isTest = context.getMode() === 'manual';
	const authentication = readAuthentication(context);
	const formId = readFormId(context);
	const webhookUrl = context.getNodeWebhookUrl('default') as string;
	const previous = isTest ? undefined : stateOf(context);
	const kept = previous?.keys ?? [];
	const key = newKey(Date.now(), kept[kept.length - 1]?.generation);
	const targetUrl = withKey(webhookUrl, key);
	const api = await open(context, authentication, key);
	const state: SubscriptionState = {
		formId,
		baseUrl: api.baseUrl,
		targetUrl,
		webhookUrl,
		...key,
		old: [],
		keys: [...kept, { ...key, formId }].slice(-KEPT_KEYS),
		...(isTest ? { isTest } : {}),
	};

	if (isTest && (authentication === 'apiKey' || read(context, 'testWith') === 'latest')) {
		const [latest] = await listResponses(api, formId, 1);
		if (latest === undefined) {
			const message =
				'This form has no completed response yet, so there is none to show. Fill in the form once and try again, or with OAuth2 set "Test With" to "New Response".';
			throw new NodeOperationError(context.getNode(), message);
		}
		await assertOwnUrlAnswers(context, webhookUrl);
		saveState(context, state);
		void deliverSample(context, targetUrl, latest);
		return true;
	}

	if (authentication === 'apiKey') {
		readWholeNumber(context, 'pollInterval', 'Poll Interval', { min: 1, max: Infinity });
		saveState(context, { ...state, ...(await startPolling(context, api, formId)) });
		return true;
	}

	assertReachable(context, api.baseUrl, webhookUrl);
	// Kept before it is sent: the service may make the hook and its answer be lost.
	saveState(context, previous ? { ...previous, keys: state.keys } : { ...state, generation: 0 });
	const hook = await createInPlaceOf(context, api, previous, formId, targetUrl);
	state.hookId = hook.id;
	if (hook.formId.toLowerCase() !== formId) {
		await tryToRemoveHook(context, state);
		const message = `The form service subscribed to form ${hook.formId} instead of ${formId}. Report this to the form service.`;
		throw new NodeOperationError(context.getNode(), message);
	}
	const earlier = continues(context, previous, formId, api.baseUrl) ? previous : undefined;
	state.since = earlier?.since ?? hook.createdAt;
	state.old = earlier?.old ?? [];
	saveState(context, state);
	if (previous) await tryToRemoveHook(context, previous);
	return true;
}

/** Removes the hook that is stored, whatever the parameters say now. */
export async function unsubscribe(context: IHookFunctions): Promise<boolean> {
	const state = stateOf(context);
	if (state === undefined) return true;
	if (state.isTest) {
		void removeTestHook(context, state);
		return true;
	}
	await removeHook(context, state);
	saveState(context, {
		...state,
		hookId: undefined,
		stoppedAt: state.stoppedAt ?? Date.now(),
	});
	return true;
}
