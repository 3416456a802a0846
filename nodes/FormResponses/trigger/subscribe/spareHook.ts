import type { ITriggerFunctions } from 'n8n-workflow';
import type { Memory } from '../state/memory';
import { inTurn } from '../state/memory';
import type { TriggerState } from '../state/triggerState';
import { productionState } from '../state/storedState';
import { timing } from '../timing';
import type { Attempt } from './attempt';
import { attemptToSubscribe } from './attempt';
import { makeHook } from './makeHook';
import { placeOf } from './subscribedPlace';
import { removeHook } from './removeHook';

/** In a running trigger, which must not write static data (n8n, trigger-execution-context.factory.ts). */
async function attemptOf(context: ITriggerFunctions, memory: Memory): Promise<Attempt | undefined> {
	const previous = productionState(context, memory);
	const { webhookUrl } = memory;
	if (webhookUrl === undefined || previous?.status === 'stopped') return undefined;
	const save = (state: TriggerState) => void (memory.state = state);
	const endsAt = performance.now() + timing.attemptMs;
	const place = await placeOf(context, webhookUrl);
	return { context, memory, place, previous, isStart: true, endsAt, save };
}

/** Undefined if there was nothing to change, or the workflow was unpublished. */
export type Change = 'subscribed' | 'spareMade' | 'spareRemoved' | undefined;

const LOGGED: Record<NonNullable<Change>, string> = {
	subscribed: 'is set up now, after its start had failed',
	spareMade: 'made a hook beside the one that it doubts',
	spareRemoved: 'removed the hook beside the one that it doubts',
};

/** Does what the start could not do. */
async function subscribe(attempt: Attempt): Promise<Change> {
	const { context, memory, place, previous, endsAt } = attempt;
	await attemptToSubscribe(attempt);
	memory.isDue = false;
	if (previous) await removeHook(context, previous, place.webhookUrl, endsAt);
	return 'subscribed';
}

/** Makes a hook beside one that is in doubt, or removes it: in the background if the service fails. */
async function changeSpare(attempt: Attempt): Promise<Change> {
	const { context, memory, place, endsAt } = attempt;
	const { spare } = memory;
	if (spare === undefined) {
		memory.spare = (await makeHook({ ...attempt, isSpare: true })).hook;
		return 'spareMade';
	}
	memory.spare = undefined;
	await removeHook(context, { ...place, ...spare }, place.webhookUrl, endsAt);
	return 'spareRemoved';
}

/**
 * Subscribes in a running trigger if that is due; otherwise makes a hook beside the one in doubt, or removes it.
 *
 * @throws NodeApiError, NodeOperationError
 */
export async function changeHooks(
	context: ITriggerFunctions,
	memory: Memory,
	isDoubted: () => boolean,
): Promise<Change> {
	return await inTurn(memory, async () => {
		if (!memory.isDue && !isDoubted()) return undefined;
		const attempt = await attemptOf(context, memory);
		const change = attempt && (await (memory.isDue ? subscribe : changeSpare)(attempt));
		if (change) context.logger.info(`"${context.getNode().name}" ${LOGGED[change]}.`);
		return change;
	});
}
