import type { ITriggerFunctions } from 'n8n-workflow';
import { attemptToSubscribe } from './attempt';
import { productionState, remember, subscriptionOf } from '../state/storedState';
import { timing } from '../timing';

/**
 * Tries again what a start could not do, or replaces a lost hook. Only this process knows the new hook, because only
 * hook methods write static data. After the next start of n8n it is a generation behind, and its next delivery
 * removes it.
 *
 * @returns whether the trigger has what it needs; false if it was unpublished
 * @throws NodeApiError, NodeOperationError
 */
export async function renew(context: ITriggerFunctions): Promise<boolean> {
	const { webhookUrl } = subscriptionOf(context) ?? {};
	const previous = productionState(context);
	if (webhookUrl === undefined || previous?.status === 'stopped') return false;
	return await attemptToSubscribe({
		context,
		webhookUrl,
		previous,
		isStart: true,
		endsAt: performance.now() + timing.attemptMs,
		save: remember,
	});
}
