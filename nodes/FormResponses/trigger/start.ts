import type { IHookFunctions } from 'n8n-workflow';
import { read } from '../parameters';
import { MAX_RESPONSES } from '../transport/endpoints';
import type { Api } from '../transport/types';
import { knownKeys } from './journal';
import { startPolling } from './polling';
import type { Place, Start, TriggerState } from './state';
import { continues } from './state';
import { timing } from './timing';

interface StartOptions {
	whileInactive?: 'process' | 'skip';
	existing?: boolean;
}

/**
 * A stop that is found at n8n's start was no unpublishing: the older engine cleans up all triggers of
 * a workflow of which one failed, and then tries the start again (n8n, active-workflow-manager.ts).
 */
const isStart = (context: IHookFunctions) => context.getActivationMode() === 'init';

type Previous = TriggerState | undefined;

/** Whether the workflow was only published again, or n8n started. */
export const isGoingOn = (
	context: IHookFunctions,
	previous: Previous,
	place: Place,
): previous is TriggerState =>
	continues(previous, place, Date.now(), isStart(context) ? Infinity : timing.rePublishMs);

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
			return { nodeId, since: isExistingWanted ? '' : madeAt, baseline: [] };
		}
		const { since, baseline, stoppedAt } = earlier;
		if (!isOfOtherNode(context, earlier)) return { nodeId, since, baseline };
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
		return { ...(await startPolling(api, place.formId)), nodeId };
	}
	const { since, baseline } = earlier;
	if (!isOfOtherNode(context, earlier)) return { nodeId, since, baseline };
	// All that a poll finds is emitted by this process.
	const ran = knownKeys(context, earlier.nodeId).slice(-2 * MAX_RESPONSES);
	return { nodeId, since, baseline: [...baseline, ...ran] };
}
