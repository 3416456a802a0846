import type { ITriggerFunctions } from 'n8n-workflow';
import type { Memory } from '../state/memory';
import { inTurn } from '../state/memory';
import type { TriggerState } from '../state/state';
import { productionState } from '../state/stored';
import { timing } from '../timing';
import type { Attempt } from './attempt';
import { attemptToSubscribe, newHook } from './attempt';
import { removeHook } from './hooks';
import { placeOf } from './place';

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

/** Does what the start could not do. @throws NodeApiError, NodeOperationError */
export async function subscribeLate(context: ITriggerFunctions, memory: Memory): Promise<void> {
	await inTurn(memory, async () => {
		const attempt = await attemptOf(context, memory);
		if (attempt === undefined) return;
		await attemptToSubscribe(attempt);
		memory.isDue = false;
		const { previous, place, endsAt } = attempt;
		if (previous) await removeHook(context, previous, place.webhookUrl, endsAt);
	});
}

/**
 * Makes a hook beside one that is in doubt.
 *
 * @returns its ID; undefined if the workflow was unpublished
 * @throws NodeApiError, NodeOperationError
 */
export async function makeSpare(
	context: ITriggerFunctions,
	memory: Memory,
): Promise<string | undefined> {
	return await inTurn(memory, async () => {
		const attempt = await attemptOf(context, memory);
		if (attempt) memory.spare = (await newHook({ ...attempt, isSpare: true })).hook;
		return memory.spare?.hookId;
	});
}

/** In the background if the service fails. */
export async function removeSpare(context: ITriggerFunctions, memory: Memory): Promise<void> {
	await inTurn(memory, async () => {
		const { spare, webhookUrl = '' } = memory;
		memory.spare = undefined;
		const endsAt = performance.now() + timing.attemptMs;
		if (spare) await removeHook(context, { ...spare, webhookUrl }, webhookUrl, endsAt);
	});
}
