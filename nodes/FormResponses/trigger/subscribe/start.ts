import { read } from '../../parameters';
import { responseKey } from '../../responseKey';
import { listResponses, MAX_RESPONSES } from '../../transport/endpoints';
import type { Api } from '../../transport/types';
import type { HookContext } from './hooks';
import { knownKeys } from '../state/known';
import type { Start, TriggerState } from '../state/state';
import { continues } from '../state/state';
import { subscriptionOf } from '../state/storedState';
import { timing } from '../timing';

interface StartOptions {
	whileInactive?: 'process' | 'skip';
	existing?: boolean;
}

type Previous = TriggerState | undefined;

/**
 * Whether n8n starts what is published, or resumes a publication that it was ended in: nobody is there to mend
 * what is wrong, and n8n gives a trigger up for good whose `create` fails (n8n, trigger-activation-retry.ts).
 */
export function isStart(context: HookContext, previous: Previous): boolean {
	const mode = context.getActivationMode();
	const isResumed = mode === 'update' && previous !== undefined;
	const isStopped = subscriptionOf(context)?.state?.status === 'stopped';
	return mode === 'init' || mode === 'leadershipChange' || (isResumed && !isStopped);
}

/**
 * The longest pause after which a subscription continues. If this process did not stop it, n8n was interrupted:
 * the older engine stops all triggers of a workflow if one fails, and then starts them again; the newer one
 * resumes an interrupted publication at its start (n8n, active-workflow-manager.ts,
 * workflow-publication-applier.ts).
 */
const longestPauseMs = (context: HookContext, previous: Previous): number =>
	isStart(context, previous) ? timing.downtimeMs : timing.rePublishMs;

/** n8n also publishes imported workflows that were active elsewhere. */
const isImported = (context: HookContext, previous: Previous) =>
	context.getActivationMode() === 'activate' &&
	previous?.status !== 'stopped' &&
	subscriptionOf(context) === undefined;

/** Whether n8n only started, or the workflow was published again. */
export const isContinued = (
	context: HookContext,
	previous: Previous,
	formId: string,
): previous is TriggerState =>
	!isImported(context, previous) &&
	continues(previous, formId, Date.now(), longestPauseMs(context, previous));

/**
 * Whether n8n starts a published workflow without stored state. Either the state was overwritten, in queue mode
 * by any run that writes static data (n8n, job-processor.ts), or n8n's command line published the workflow.
 */
const isStateLost = (context: HookContext, previous: Previous): boolean =>
	context.getActivationMode() === 'init' && previous?.since === undefined;

/** @param now milliseconds, in the service's clock if known */
const guess = (context: HookContext, now: number): Start => ({
	nodeId: context.getNode().id,
	since: new Date(now - timing.downtimeMs).toISOString(),
	baseline: [],
	isGuess: true,
});

/** The earlier subscription, if the new one continues it. */
function earlierOf(context: HookContext, previous: Previous, formId: string): Previous {
	const { whileInactive } = read(context, 'options') as StartOptions;
	const isEarlier =
		whileInactive === 'process'
			? continues(previous, formId, Date.now(), Infinity)
			: isContinued(context, previous, formId);
	return isEarlier ? previous : undefined;
}

/** Existing responses run at the first publication only. */
function wantsExisting(context: HookContext, previous: Previous, formId: string): boolean {
	const { existing } = read(context, 'options') as StartOptions;
	return existing === true && !continues(previous, formId, Date.now(), Infinity);
}

/** n8n stores state by node name, but processed responses by node ID: a pasted node finds only the state. */
export const fromOtherNode = (context: HookContext, { nodeId }: Start): boolean =>
	nodeId !== undefined && nodeId !== context.getNode().id;

/** @returns a function of the hook's creation time, in the service's clock */
export function startOfHook(
	context: HookContext,
	previous: Previous,
	formId: string,
): (madeAt: string) => Start {
	const nodeId = context.getNode().id;
	const isExistingWanted = wantsExisting(context, previous, formId);
	const earlier = earlierOf(context, previous, formId);
	return (madeAt) => {
		if (earlier === undefined) {
			if (isExistingWanted) return { nodeId, since: '', baseline: [] };
			if (isStateLost(context, previous)) return guess(context, Date.parse(madeAt));
			return { nodeId, since: madeAt, baseline: [] };
		}
		const { since, baseline, isGuess, stoppedAt } = earlier;
		if (!fromOtherNode(context, earlier)) return { nodeId, since, baseline, isGuess };
		const now = Date.now();
		const stoppedFor = now - (stoppedAt ?? now);
		const stop = new Date(Date.parse(madeAt) - stoppedFor).toISOString();
		return { nodeId, since: stop, baseline };
	};
}

/**
 * Existing responses do not count. The bound is the oldest that the API shows, not the newest, because a
 * response can become visible later than one that was completed after it.
 */
async function startPolling(api: Api, formId: string): Promise<Start> {
	const newest = await listResponses(api, formId, MAX_RESPONSES);
	const oldest = newest.length === MAX_RESPONSES ? newest[newest.length - 1] : undefined;
	return { since: oldest?.data.completedAt ?? '', baseline: newest.map(responseKey) };
}

export async function startOfPolling(
	context: HookContext,
	api: Api,
	previous: Previous,
	formId: string,
): Promise<Start> {
	const nodeId = context.getNode().id;
	const earlier = earlierOf(context, previous, formId);
	if (earlier === undefined) {
		if (wantsExisting(context, previous, formId)) return { nodeId, since: '', baseline: [] };
		if (isStateLost(context, previous)) return guess(context, Date.now());
		return { ...(await startPolling(api, formId)), nodeId };
	}
	const { since, baseline, isGuess } = earlier;
	if (!fromOtherNode(context, earlier)) return { nodeId, since, baseline, isGuess };
	// This process emits everything that a poll finds.
	const ran = knownKeys(context, earlier.nodeId).slice(-2 * MAX_RESPONSES);
	return { nodeId, since, baseline: [...baseline, ...ran] };
}
