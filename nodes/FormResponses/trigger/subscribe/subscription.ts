import type { IHookFunctions } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import { readAuthentication, readFormId } from '../../parameters';
import { isAnswerLost, isFault } from '../../transport/errors';
import { attemptToSubscribe } from './attempt';
import { removeHook } from './hooks';
import { identityOf } from '../state/identity';
import { fromOtherNode, isContinued, isStart } from './start';
import { continues, transitions } from '../state/state';
import { isProduction, save, stateOf, subscriptionOf } from '../state/storedState';
import { listen } from './testListener';
import { timing } from '../timing';

/**
 * Nodes whose last `create` failed. n8n then calls `delete` to clean up, which looks like unpublishing (n8n,
 * webhook-trigger-registrar.ts).
 */
const failedCreations = new Set<string>();

/** Until when starts ask nobody: the older engine starts one workflow after the other, so one may hold it up. */
let unresponsiveUntil = 0;

const webhookUrlOf = (context: IHookFunctions) => context.getNodeWebhookUrl('default') as string;

function assertResponsive() {
	if (performance.now() < unresponsiveUntil)
		throw new Error('a service did not answer a moment ago');
}

/** The running trigger looks for responses, and subscribes when it can. */
function goOn(context: IHookFunctions, error: Error) {
	context.logger.warn(
		`"${context.getNode().name}" could not be started as usual. It looks for responses, and tries again: ${error.message}`,
	);
	const known = subscriptionOf(context);
	let state = stateOf(context);
	if (state?.status === 'stopped') {
		const status = readAuthentication(context) === 'apiKey' ? 'polling' : 'subscribed';
		const since = new Date(Date.now()).toISOString();
		const fromNow = { nodeId: state.nodeId, since, baseline: [], isGuess: undefined };
		const start = isContinued(context, state, state.formId) ? state : fromNow;
		state = transitions.started(state, state, start, status);
	}
	const isDelivered = state?.hookId !== undefined && state.webhookUrl === webhookUrlOf(context);
	const isHookLost = known?.isHookLost === true || !isDelivered;
	save(context, { ...known, state, isRenewalDue: true, isHookLost });
}

function fail(context: IHookFunctions, error: Error): never {
	failedCreations.add(identityOf(context));
	const state = stateOf(context);
	// Stopped for this publication, not by a person before it.
	const isStoppedForIt =
		state?.status === 'stopped' && continues(state, state.formId, Date.now(), timing.subscribingMs);
	if (isStoppedForIt)
		save(context, { ...subscriptionOf(context), state: transitions.refused(state, Date.now()) });
	// n8n 1 shows only the description of a NodeApiError that fails an activation (its workflow.service.ts).
	if (!(error instanceof NodeApiError)) throw error;
	const shown = new NodeOperationError(context.getNode(), error.message);
	shown.message = error.message;
	throw shown;
}

/**
 * Subscribes to the form, starts polling, or shows the latest response to the test listener. At a start of n8n,
 * and if the service fails where the workflow was published a moment ago, the trigger runs whatever happens.
 *
 * @throws NodeOperationError, in a test also NodeApiError: only for a person who publishes or tests
 */
export async function subscribe(context: IHookFunctions): Promise<boolean> {
	if (context.getMode() === 'manual') {
		await listen(context);
		return true;
	}
	failedCreations.delete(identityOf(context));
	const webhookUrl = webhookUrlOf(context);
	const previous = stateOf(context);
	const isStarted = isStart(context, previous);
	const endsAt = performance.now() + (isStarted ? timing.startMs : timing.attemptMs);
	const limit = isStarted ? { assertResponsive } : {};
	const attempt = { context, webhookUrl, previous, isStart: isStarted, endsAt, save, ...limit };
	let mayGoOn = isStarted;
	try {
		mayGoOn ||=
			isContinued(context, previous, readFormId(context)) && !fromOtherNode(context, previous);
		await attemptToSubscribe(attempt).catch(async (error: Error) => {
			// Only a hook method stores the key of a hook, and the stored one tells that the other was replaced.
			if (!isAnswerLost(error) || performance.now() >= endsAt) throw error;
			await attemptToSubscribe(attempt);
		});
	} catch (error) {
		if (isStarted && performance.now() >= endsAt)
			unresponsiveUntil = performance.now() + timing.unresponsiveMs;
		// The workflow was published a moment ago, and the service only fails: nothing that ran may end.
		const isHarmless = mayGoOn && isFault(error as Error);
		(isStarted || isHarmless ? goOn : fail)(context, error as Error);
	}
	return true;
}

/**
 * Ends the subscription, whatever the parameters are now. If the service fails, removes the hook in the
 * background: an error would make the older engine drop all stored state (n8n, active-workflow-manager.ts,
 * deregisterWebhooks).
 */
export async function unsubscribe(context: IHookFunctions): Promise<boolean> {
	const isCleanUp = failedCreations.delete(identityOf(context));
	const state = stateOf(context);
	if (state?.isTest) {
		void removeHook(context, state, state.webhookUrl, performance.now() + timing.attemptMs);
		return true;
	}
	if (isCleanUp || state === undefined) {
		if (isProduction(context))
			save(context, { ...subscriptionOf(context), state, isRenewalDue: false });
		return true;
	}
	// A new object, so that a concurrent subscription notices the stop (`isUnchanged`).
	const stopped = { ...transitions.stopped(state, Date.now()) };
	save(context, { state: stopped });
	const endsAt = performance.now() + timing.startMs;
	if (await removeHook(context, stopped, webhookUrlOf(context), endsAt))
		save(context, { state: transitions.hookRemoved(stopped) });
	return true;
}
