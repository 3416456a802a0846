import type { IDataObject } from 'n8n-workflow';
import { read, readAuthentication } from '../../parameters';
import { responseKey } from '../../transport/responseKey';
import { listResponses, MAX_RESPONSES } from '../../transport/endpoints';
import type { Api } from '../../transport/types';
import type { HookContext } from './hooks';
import { identityOf } from '../state/identity';
import { knownKeys } from '../state/known';
import type { Previous, Start, TriggerState } from '../state/state';
import { continues } from '../state/state';
import { subscriptionOf } from '../state/storedState';
import { timing } from '../timing';

/**
 * Whether n8n starts what is published, or resumes a publication that it was ended in: nobody is there to mend
 * what is wrong, and n8n gives a trigger up for good whose `create` fails (n8n, trigger-activation-retry.ts).
 */
export function isStart(context: HookContext, previous: Previous): boolean {
	const mode = context.getActivationMode();
	const isStopped = subscriptionOf(context)?.state?.status === 'stopped';
	const isResumed = previous !== undefined && !fromOtherNode(context, previous) && !isStopped;
	return mode === 'init' || mode === 'leadershipChange' || (mode === 'update' && isResumed);
}

/**
 * A subscription continues after a pause that is shorter. If this process did not stop it, n8n was interrupted:
 * the older engine stops all triggers of a workflow if one fails, and then starts them again; the newer one
 * resumes an interrupted publication at its start (n8n, active-workflow-manager.ts,
 * workflow-publication-applier.ts).
 */
function longestPauseMs(context: HookContext, previous: Previous): number {
	const isNew = context.getActivationMode() === 'activate' && !subscriptionOf(context);
	// n8n also publishes imported workflows that were active elsewhere.
	if (isNew && previous?.status !== 'stopped') return 0;
	const wasInterrupted = isStart(context, previous) || previous?.refusedAt !== undefined;
	return wasInterrupted ? timing.downtimeMs : timing.rePublishMs;
}

/** Whether n8n only started, or the workflow was published again. */
export const isContinued = (
	context: HookContext,
	previous: Previous,
	formId: string,
): previous is TriggerState =>
	continues(previous, formId, Date.now(), longestPauseMs(context, previous));

/** n8n stores state by node name, but processed responses by node ID: a pasted node finds only the state. */
export const fromOtherNode = (context: HookContext, { nodeId }: Start): boolean =>
	nodeId !== undefined && nodeId !== context.getNode().id;

const before = (time: string, ms: number) => new Date(Date.parse(time) - ms).toISOString();

/** Which responses count, as a function of the current time in the service's clock, if known. */
export function startOf(context: HookContext, previous: Previous, formId: string) {
	const nodeId = context.getNode().id;
	const { whileInactive, existing } = read(context, 'options') as IDataObject;
	const wasPublished = continues(previous, formId, Date.now(), Infinity);
	const pauseMs = whileInactive === 'process' ? Infinity : longestPauseMs(context, previous);
	const goesOn = continues(previous, formId, Date.now(), pauseMs);
	// A run overwrote the state, in queue mode (n8n, job-processor.ts), or n8n's command line published the workflow.
	const isLost = context.getActivationMode() === 'init' && previous?.since === undefined;
	const isPolling = readAuthentication(context) === 'apiKey';
	return (now: string): Start => {
		const first = { nodeId, since: now, baseline: [] };
		// Existing responses run at the first publication only.
		if (existing && !wasPublished) return { ...first, since: '' };
		if (isLost) return { ...first, since: before(now, timing.downtimeMs), isGuess: true };
		if (!goesOn) return first;
		const { since, baseline, isGuess, stoppedAt = Date.now() } = previous;
		if (!fromOtherNode(context, previous)) return { nodeId, since, baseline, isGuess };
		const ran = knownKeys(identityOf(context, previous.nodeId)).slice(-2 * MAX_RESPONSES);
		// This process emits everything that a poll finds.
		if (isPolling) return { nodeId, since, baseline: [...baseline, ...ran] };
		return { nodeId, since: before(now, Date.now() - stoppedAt), baseline };
	};
}

/**
 * Existing responses do not count, and n8n's clock may differ from the service's, so polling begins with what the
 * API shows. The bound is the oldest of it, not the newest, because a response can become visible later than one
 * that was completed after it.
 */
export async function startOfPolling(
	context: HookContext,
	api: Api,
	previous: Previous,
	formId: string,
): Promise<Start> {
	const now = new Date(Date.now()).toISOString();
	const start = startOf(context, previous, formId)(now);
	if (start.since !== now) return start;
	const newest = await listResponses(api, formId, MAX_RESPONSES);
	const oldest = newest.length === MAX_RESPONSES ? newest[newest.length - 1] : undefined;
	return { ...start, since: oldest?.data.completedAt ?? '', baseline: newest.map(responseKey) };
}
