import { sleep } from 'n8n-workflow';
import { deleteHook } from '../../transport/endpoints';
import type { TriggerState } from '../state/triggerState';
import { retryMs, timing } from '../timing';
import type { HookContext } from './hookContext';
import { open } from './hookContext';
import { originOf } from './ownAddress';

/** Removes a hook; a missing one is a success. Logs failures. */
export async function tryToRemoveHook(
	context: HookContext,
	hookId: string,
	endsAt = performance.now() + timing.attemptMs,
): Promise<boolean> {
	try {
		await deleteHook(await open(context, 'oAuth2', endsAt), hookId);
		return true;
	} catch (error) {
		context.logger.warn(`Hook ${hookId} could not be removed: ${(error as Error).message}`);
		return false;
	}
}

async function retryRemoval(context: HookContext, hookId: string) {
	const giveUpAt = performance.now() + timing.removalMs;
	for (let tries = 1; performance.now() + retryMs(tries) <= giveUpAt; tries++) {
		await sleep(retryMs(tries));
		if (await tryToRemoveHook(context, hookId)) return;
	}
}

/**
 * Removes the hook of an earlier subscription, in the background if the first try fails. Leaves alone hooks for
 * another address, which may be in use there.
 *
 * @returns whether there is none now
 */
export async function removeHook(
	context: HookContext,
	{ hookId, webhookUrl }: Pick<TriggerState, 'hookId' | 'webhookUrl'>,
	ownUrl: string,
	endsAt: number,
): Promise<boolean> {
	if (hookId === undefined) return true;
	if (webhookUrl !== ownUrl) {
		context.logger.warn(
			`Hook ${hookId} delivers to ${originOf(webhookUrl)} and is left alone, because this n8n is at ${originOf(ownUrl)}. If nobody uses that address, remove it with Hook: Delete.`,
		);
		return false;
	}
	if (await tryToRemoveHook(context, hookId, endsAt)) return true;
	void retryRemoval(context, hookId);
	return false;
}
