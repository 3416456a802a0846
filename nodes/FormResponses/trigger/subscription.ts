import type { IHookFunctions } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { read, readAuthentication, readFormId, readWholeNumber } from '../parameters';
import { listResponses } from '../transport/endpoints';
import { isFault } from '../transport/errors';
import type { Api, Hook } from '../transport/types';
import { newToken, withToken } from './deliveryToken';
import {
	createReplacement,
	retryRemoval,
	open,
	removeReplacedHook,
	tryToRemoveHook,
} from './hooks';
import { identityOf } from './identity';
import { reachability } from './reachable';
import { fromOtherNode, isContinued, isStateLost, startOfHook, startOfPolling } from './start';
import type { Place, TriggerState } from './state';
import { isLiveAt, maxGeneration, transitions } from './state';
import { isUnchanged, remember, saveState, stateOf, subscriptionOf } from './storedState';
import { assertOwnUrlAnswers, deliverSample } from './testListener';
import { timing } from './timing';

/**
 * Nodes whose last `create` failed. n8n then calls `delete` to clean up, which looks like unpublishing (n8n,
 * webhook-trigger-registrar.ts).
 */
const failedCreations = new Set<string>();

const webhookUrlOf = (context: IHookFunctions) => context.getNodeWebhookUrl('default') as string;

/** Undefined for a test listener, which has no earlier subscription. */
function previousOf(context: IHookFunctions): TriggerState | undefined {
	return context.getMode() === 'manual' ? undefined : stateOf(context);
}

function assertReachable(context: IHookFunctions, { baseUrl, webhookUrl }: Place) {
	const reach = reachability(baseUrl, webhookUrl);
	const [service, n8n] = [new URL(baseUrl).host, new URL(webhookUrl).origin];
	const fix =
		'Set the environment variable WEBHOOK_URL of n8n to its public address and restart n8n.';
	if (reach === 'doubtful') {
		context.logger.warn(
			`The form service at ${service} may not reach this n8n at ${n8n}, which is a private address. If no responses arrive: ${fix}`,
		);
	}
	if (reach === 'no') {
		const message = `The form service at ${service} cannot reach this n8n at ${n8n}, which is a local address. ${fix}`;
		throw new NodeOperationError(context.getNode(), message);
	}
}

/** Delivers the latest response to the test listener, as the service would. */
async function listenWithLatest(context: IHookFunctions, api: Api, place: Place): Promise<void> {
	const [latest] = await listResponses(api, place.formId, 1);
	if (latest === undefined) {
		const message =
			'This form has no completed response yet, so there is none to show. Fill in the form once and try again, or with OAuth2 set "Test With" to "New Response".';
		throw new NodeOperationError(context.getNode(), message);
	}
	await assertOwnUrlAnswers(context, place.webhookUrl);
	const token = newToken(Date.now());
	const { generation } = token;
	saveState(context, { ...transitions.keySent(undefined, place, token), generation, isTest: true });
	void deliverSample(context, withToken(place.webhookUrl, token), latest);
}

async function poll(context: IHookFunctions, api: Api, place: Place): Promise<void> {
	readWholeNumber(context, 'pollInterval', 'Poll Interval', { min: 1, max: Infinity });
	const previous = previousOf(context);
	const start = await startOfPolling(context, api, previous, place);
	saveState(context, transitions.polling(previous, place, start, Date.now()));
}

/** Leaves alone hooks for another address, which may be in use there. */
async function removeEarlierHook(context: IHookFunctions, previous: TriggerState, place: Place) {
	if (previous.hookId === undefined) return;
	if (previous.webhookUrl === place.webhookUrl) {
		await removeReplacedHook(context, previous);
		return;
	}
	context.logger.warn(
		`Hook ${previous.hookId} delivers to ${new URL(previous.webhookUrl).origin} and is left alone, because this n8n is at ${new URL(place.webhookUrl).origin}. If that address is no longer in use, remove the hook with Form Responses: Hook: Delete.`,
	);
}

/** Whether this node was live here until n8n ended, or stopped it to publish it again. */
const isPaused = (
	context: IHookFunctions,
	previous: TriggerState | undefined,
	place: Place,
): boolean =>
	isStateLost(context, previous) ||
	(isContinued(context, previous, place) &&
		previous.status === 'stopped' &&
		previous.webhookUrl === place.webhookUrl &&
		!fromOtherNode(context, previous));

/** The running trigger looks for responses, and creates the hook when the service can. */
function runWithoutHook(context: IHookFunctions, state: TriggerState, error: Error) {
	warnOf(context, error);
	saveState(context, transitions.withoutHook(state), { isRenewalDue: true, isHookLost: true });
}

async function subscribeTo(context: IHookFunctions, place: Place): Promise<void> {
	const isTest = context.getMode() === 'manual';
	assertReachable(context, place);
	const previous = previousOf(context);
	const ours = previous?.webhookUrl === place.webhookUrl ? previous : undefined;
	const token = newToken(Date.now(), maxGeneration(previous));
	const targetUrl = withToken(place.webhookUrl, token);
	const api = await open(context, 'oAuth2', token);
	const startAt = startOfHook(context, previous, place);
	const wasActive = isPaused(context, previous, place);
	// Stored before the request: the service may create the hook while its reply is lost.
	const sent = { ...transitions.keySent(previous, place, token), ...(isTest && { isTest }) };
	saveState(context, sent, { targetUrl: subscriptionOf(context)?.targetUrl });
	const loseHook = () =>
		remember(context, { ...subscriptionOf(context), state: sent, isHookLost: true });
	let hook: Hook;
	try {
		hook = await createReplacement(context, api, ours, { ...place, targetUrl }, loseHook);
	} catch (error) {
		const canContinue = wasActive && isFault(error as Error);
		if (!canContinue || !isUnchanged(context, sent)) throw error as NodeOperationError;
		const start = startAt(new Date(Date.now()).toISOString());
		runWithoutHook(context, { ...sent, ...place, ...start }, error as Error);
		return;
	}
	const { id: hookId, createdAt: madeAt } = hook;
	const made = { hookId, madeAt, generation: token.generation, ...startAt(madeAt) };
	const state = { ...transitions.subscribed(sent, place, made), ...(isTest && { isTest }) };
	if (!isTest && !isUnchanged(context, sent)) {
		context.logger.warn('The workflow was unpublished while the trigger subscribed.');
		await removeReplacedHook(context, state);
		return;
	}
	saveState(context, state, { targetUrl });
	if (previous) await removeEarlierHook(context, previous, place);
}

/** @param place completed as values become known */
async function begin(context: IHookFunctions, place: Partial<Place> & Pick<Place, 'webhookUrl'>) {
	const authentication = readAuthentication(context);
	const isTest = context.getMode() === 'manual';
	const formId = (place.formId = readFormId(context));
	const api = await open(context, authentication);
	const baseUrl = (place.baseUrl = api.baseUrl);
	const whole: Place = { ...place, formId, baseUrl };
	if (isTest && (authentication === 'apiKey' || read(context, 'testWith') === 'latest')) {
		await listenWithLatest(context, api, whole);
	} else if (authentication === 'apiKey') {
		await poll(context, api, whole);
	} else {
		await subscribeTo(context, whole);
	}
}

/**
 * Subscribes to the form, starts polling, or shows the latest response to the test listener.
 * A renewal never destroys: if it fails, an earlier subscription that still delivers stays, and the running
 * trigger tries again. The same holds if n8n stopped the subscription only to publish it again, because n8n
 * never restarts a trigger whose `create` failed.
 *
 * @throws NodeOperationError, in a test also NodeApiError, if nothing can continue
 */
export async function subscribe(context: IHookFunctions): Promise<boolean> {
	const previous = previousOf(context);
	const place = { webhookUrl: webhookUrlOf(context) };
	failedCreations.delete(identityOf(context));
	try {
		await begin(context, place);
	} catch (error) {
		const status = readAuthentication(context) === 'apiKey' ? 'polling' : 'subscribed';
		if (isLiveAt(previous, status, place)) {
			keepRunning(context, error as Error);
			return true;
		}
		if (context.getMode() === 'manual') throw error as NodeOperationError;
		failedCreations.add(identityOf(context));
		// n8n 1 shows only the description of a NodeApiError that fails an activation (its workflow.service.ts).
		if (!(error instanceof NodeApiError)) throw error as Error;
		const shown = new NodeOperationError(context.getNode(), error.message);
		shown.message = error.message;
		throw shown;
	}
	return true;
}

function warnOf(context: IHookFunctions, error: Error) {
	context.logger.warn(
		`"${context.getNode().name}" could not be started anew and goes on as it was before, while it tries again: ${error.message}`,
	);
}

function keepRunning(context: IHookFunctions, error: Error) {
	const state = stateOf(context) as TriggerState;
	warnOf(context, error);
	const isRenewalDue = state.status === 'subscribed';
	const known = subscriptionOf(context);
	const isHookLost = known?.isHookLost || (isRenewalDue && state.hookId === undefined);
	remember(context, { ...known, state, isRenewalDue, isHookLost });
}

/**
 * Ends the subscription, whatever the parameters are now. If the service fails, removes the hook in the
 * background: an error would make the older engine drop all stored state (n8n, active-workflow-manager.ts,
 * deregisterWebhooks).
 */
export async function unsubscribe(context: IHookFunctions): Promise<boolean> {
	const isCleanUp = failedCreations.delete(identityOf(context));
	const state = stateOf(context);
	if (state === undefined) return true;
	if (state.isTest) {
		void removeTestHook(context, state);
		return true;
	}
	if (isCleanUp) {
		saveState(context, state, subscriptionOf(context));
		return true;
	}
	if (state.webhookUrl !== webhookUrlOf(context)) {
		await removeEarlierHook(context, state, { ...state, webhookUrl: webhookUrlOf(context) });
		return true;
	}
	// A new object, so that a concurrent subscription notices the stop (`isUnchanged`).
	const stopped = { ...transitions.stopped(state, Date.now()) };
	saveState(context, stopped);
	if (stopped.hookId === undefined) return true;
	if (await tryToRemoveHook(context, stopped)) {
		saveState(context, transitions.hookRemoved(stopped));
		return true;
	}
	void removeLater(context, stopped);
	return true;
}

async function removeTestHook(context: IHookFunctions, state: TriggerState) {
	if (await tryToRemoveHook(context, state)) return;
	await retryRemoval(context, state, timing.testHookRemovalMs);
}

async function removeLater(context: IHookFunctions, stopped: TriggerState) {
	const isStillWanted = () => {
		const { status, hookId } = subscriptionOf(context)?.state ?? {};
		return status === 'stopped' && hookId === stopped.hookId;
	};
	const isRemoved = await retryRemoval(context, stopped, timing.removalMs, isStillWanted);
	// Not if the workflow was published again meanwhile.
	if (isRemoved && isUnchanged(context, stopped)) {
		remember(context, { state: transitions.hookRemoved(stopped) });
	}
}
