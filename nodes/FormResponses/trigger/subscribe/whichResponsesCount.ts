import { optionsOrNone } from '../../parameters';
import { listLatest, MAX_RESPONSES } from '../../transport/endpoints';
import { responseKey } from '../../transport/responseKey';
import type { Api } from '../../transport/types';
import type { Memory } from '../state/memory';
import type { Place, Previous, Start, TriggerState } from '../state/triggerState';
import { continues } from '../state/triggerState';
import { timing } from '../timing';
import type { HookContext } from './hookContext';

/**
 * Whether n8n starts what is published, or resumes a publication that it was ended in: nobody is there to mend
 * what is wrong, and n8n gives a trigger up for good whose `create` fails (n8n, trigger-activation-retry.ts).
 */
export function isStart(context: HookContext, { state }: Memory, previous: Previous): boolean {
	const mode = context.getActivationMode();
	const isResumed = previous !== undefined && state?.status !== 'stopped';
	return mode === 'init' || mode === 'leadershipChange' || (mode === 'update' && isResumed);
}

function longestPauseMs(context: HookContext, memory: Memory, previous: Previous): number {
	if (isStart(context, memory, previous)) return Infinity;
	// n8n also publishes imported workflows that were active elsewhere.
	if (memory.state === undefined && previous?.status !== 'stopped') return 0;
	return previous?.refusedAt === undefined ? timing.rePublishMs : timing.downtimeMs;
}

/** Whether n8n only started, or the workflow was published again. */
export const isContinued = (
	context: HookContext,
	memory: Memory,
	previous: Previous,
	formId: string,
): previous is TriggerState =>
	continues(previous, formId, Date.now(), longestPauseMs(context, memory, previous));

const dayBefore = (time: string) => new Date(Date.parse(time) - timing.downtimeMs).toISOString();

/** Whether it was stored at another address, or in another n8n, which may have run the same. */
export const isForeign = (context: HookContext, state: TriggerState, webhookUrl: string) =>
	state.webhookUrl !== webhookUrl || state.instanceId !== context.getInstanceId();

/** Which responses count, as a function of the current time in the service's clock, if known. */
export function nextStartOf(
	context: HookContext,
	memory: Memory,
	previous: Previous,
	{ formId, webhookUrl }: Place,
) {
	// Who publishes is told before what cannot be read.
	const { whileInactive, existing } = optionsOrNone(context);
	const wasPublished = continues(previous, formId, Date.now(), Infinity);
	const processes = wasPublished && whileInactive === 'process';
	const goesOn = processes || isContinued(context, memory, previous, formId);
	// A run in queue mode (n8n, job-processor.ts) or another trigger of the workflow (trigger-execution-context.factory.ts)
	// overwrote the state, or n8n's command line published the workflow.
	const mode = context.getActivationMode();
	const isLost = mode === 'init' && !wasPublished;
	return (now: string): Start => {
		// Existing responses run at the first publication only.
		if (existing && !wasPublished) return { since: '', baseline: [] };
		if (isLost) return { since: dayBefore(now), baseline: [], guessUntil: now };
		if (!goesOn) return { since: now, baseline: [] };
		const { since, baseline } = previous;
		// Only who publishes says that a stop was a pause: n8n also stops a trigger to publish it again, or to clean up.
		const isStopped = previous.status === 'stopped' && mode !== 'activate' && !processes;
		const isLong = isStopped && Date.parse(since) < Date.parse(dayBefore(now));
		// What this n8n may not have run itself is a guess.
		const guessUntil = isForeign(context, previous, webhookUrl) ? now : previous.guessUntil;
		return { since: isLong ? dayBefore(now) : since, baseline, guessUntil };
	};
}

/**
 * Existing responses do not count. A full page begins with its oldest, not its newest, because a response can become
 * visible later than one that was completed after it. Another page may be short for a moment, so that beside what it
 * shows only what is completed from now on counts, in the service's clock.
 */
export async function pollingStartOf(
	api: Api,
	startAt: (now: string) => Start,
	formId: string,
): Promise<Start> {
	const now = new Date().toISOString();
	const start = startAt(now);
	if (start.since !== now) return start;
	const { responses: newest, isFull } = await listLatest(api, formId, MAX_RESPONSES);
	const oldest = isFull ? newest[newest.length - 1] : undefined;
	const shownAt = newest.map(({ createdAt }) => Date.parse(createdAt)).filter(Number.isFinite);
	const serviceNow = api.answeredAt() ?? Math.max(...shownAt);
	const since = Number.isFinite(serviceNow) ? new Date(serviceNow).toISOString() : now;
	return { since: oldest?.data.completedAt ?? since, baseline: newest.map(responseKey) };
}
