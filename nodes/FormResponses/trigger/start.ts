import type { IHookFunctions } from 'n8n-workflow';
import { read } from '../parameters';
import { MAX_RESPONSES } from '../transport/endpoints';
import type { Api } from '../transport/types';
import { knownKeys } from './journal';
import { startPolling } from './polling';
import type { Place, Start, TriggerState } from './state';
import { continues } from './state';
import { subscriptionOf } from './storedState';
import { timing } from './timing';

interface StartOptions {
	whileInactive?: 'process' | 'skip';
	existing?: boolean;
}

type Previous = TriggerState | undefined;

/**
 * How long ago a subscription may have stopped that goes on. One that this process did not stop was
 * stopped by an n8n that ended before it was done: the older engine cleans up all triggers of a
 * workflow of which one failed, and then tries the start again; the newer one goes on at its start
 * with a publication that was cut off (n8n, active-workflow-manager.ts, workflow-publication-applier.ts).
 */
function longestPauseMs(context: IHookFunctions): number {
	const mode = context.getActivationMode();
	const isCutOff = mode === 'update' && subscriptionOf(context) === undefined;
	return mode === 'init' || isCutOff ? timing.downtimeMs : timing.rePublishMs;
}

/** n8n publishes anew what was stored as published elsewhere: exported from another n8n, say. */
const isImported = (context: IHookFunctions, previous: Previous) =>
	context.getActivationMode() === 'activate' &&
	previous?.status !== 'stopped' &&
	subscriptionOf(context) === undefined;

/** Whether the workflow was only published again, or n8n started. */
export const isGoingOn = (
	context: IHookFunctions,
	previous: Previous,
	place: Place,
): previous is TriggerState =>
	!isImported(context, previous) && continues(previous, place, Date.now(), longestPauseMs(context));

/**
 * Whether n8n starts with a published workflow of which nothing is stored: what was is overwritten, in
 * queue mode by any run that writes static data (n8n, job-processor.ts), or n8n's command line published it.
 */
export const isStateLost = (context: IHookFunctions, previous: Previous): boolean =>
	context.getActivationMode() === 'init' && previous?.since === undefined;

/** @param now in the service's clock, as far as it is known */
const guess = (context: IHookFunctions, now: number): Start => ({
	nodeId: context.getNode().id,
	since: new Date(now - timing.downtimeMs).toISOString(),
	baseline: [],
	isGuess: true,
});

/** The earlier subscription, if the new one goes on where it ended. */
function earlierOf(context: IHookFunctions, previous: Previous, place: Place): Previous {
	const { whileInactive } = read(context, 'options') as StartOptions;
	const isEarlier =
		whileInactive === 'process'
			? continues(previous, place, Date.now(), Infinity)
			: isGoingOn(context, previous, place);
	return isEarlier ? previous : undefined;
}

/** Whether the responses that are there already are to run too: at the first publication only. */
function wantsExisting(context: IHookFunctions, previous: Previous, place: Place): boolean {
	const { existing } = read(context, 'options') as StartOptions;
	return existing === true && !continues(previous, place, Date.now(), Infinity);
}

/** n8n keeps a node's state by its name, and what it ran by its ID: a node pasted anew has the one only. */
export const isOfOtherNode = (context: IHookFunctions, { nodeId }: Start): boolean =>
	nodeId !== undefined && nodeId !== context.getNode().id;

/** @returns from which responses on a hook counts that is made at this time of the service's clock */
export function startOfHook(
	context: IHookFunctions,
	previous: Previous,
	place: Place,
): (madeAt: string) => Start {
	const nodeId = context.getNode().id;
	const isExistingWanted = wantsExisting(context, previous, place);
	const earlier = earlierOf(context, previous, place);
	return (madeAt) => {
		if (earlier === undefined) {
			if (isExistingWanted) return { nodeId, since: '', baseline: [] };
			if (isStateLost(context, previous)) return guess(context, Date.parse(madeAt));
			return { nodeId, since: madeAt, baseline: [] };
		}
		const { since, baseline, isGuess, stoppedAt } = earlier;
		if (!isOfOtherNode(context, earlier)) return { nodeId, since, baseline, isGuess };
		const now = Date.now();
		const stoppedFor = now - (stoppedAt ?? now);
		const stop = new Date(Date.parse(madeAt) - stoppedFor).toISOString();
		return { nodeId, since: stop, baseline };
	};
}

/** From which responses on polling counts. */
export async function startOfPolling(
	context: IHookFunctions,
	api: Api,
	previous: Previous,
	place: Place,
): Promise<Start> {
	const nodeId = context.getNode().id;
	const earlier = earlierOf(context, previous, place);
	if (earlier === undefined) {
		if (wantsExisting(context, previous, place)) return { nodeId, since: '', baseline: [] };
		if (isStateLost(context, previous)) return guess(context, Date.now());
		return { ...(await startPolling(api, place.formId)), nodeId };
	}
	const { since, baseline, isGuess } = earlier;
	if (!isOfOtherNode(context, earlier)) return { nodeId, since, baseline, isGuess };
	// All that a poll finds is emitted by this process.
	const ran = knownKeys(context, earlier.nodeId).slice(-2 * MAX_RESPONSES);
	return { nodeId, since, baseline: [...baseline, ...ran] };
}
