import type { ITriggerFunctions } from 'n8n-workflow';
import { renew } from '../renewal';
import { productionState, remember, subscriptionOf } from '../storedState';
import { createOutage } from './outage';
import { retryMs, ticks } from './pace';

/** Whether n8n's call of `create` has ended. */
export function isMade(context: ITriggerFunctions): boolean {
	const subscription = subscriptionOf(context);
	if (subscription === undefined) return false;
	const { state, targetUrl, isRenewalDue } = subscription;
	return state?.status === 'polling' || targetUrl !== undefined || isRenewalDue === true;
}

/**
 * Replaces a hook that is lost or could not be renewed at the start.
 *
 * @param onRenewed called when the service has made a hook
 */
export function watchHook(
	context: ITriggerFunctions,
	isActive: () => boolean,
	onRenewed: () => void,
) {
	const delivering = createOutage(context, 'get its responses delivered');
	let isRenewing = false;
	let failedRenewals = 0;
	let ticksSinceRenewal = 0;
	let newestKeys: string[] = [];
	/**
	 * Set when the hook is lost: keys of older responses and of those that a look found, which say nothing about
	 * the next hook.
	 */
	let unproven: Set<string> | undefined;

	async function tryRenew() {
		if (!isActive() || isRenewing || !subscriptionOf(context)?.isRenewalDue) return;
		isRenewing = true;
		ticksSinceRenewal = 0;
		try {
			if (await renew(context)) context.logger.info(`"${context.getNode().name}" subscribed again.`);
			failedRenewals = 0;
			onRenewed();
		} catch (error) {
			failedRenewals++;
			// Unless it is lost, the earlier hook still delivers, and the warning of the start is enough.
			if (subscriptionOf(context)?.isHookLost) delivering.failed(error as Error);
		} finally {
			isRenewing = false;
		}
	}

	function loseHook() {
		delivering.failed(
			new Error('its hook did not deliver what the form service has, so it subscribes again'),
		);
		failedRenewals = 0;
		unproven = new Set(newestKeys);
		const state = productionState(context);
		if (state) {
			remember(context, {
				...subscriptionOf(context),
				state,
				isRenewalDue: true,
				isHookLost: true,
			});
		}
		void tryRenew();
	}

	/** @param late how many responses it failed to deliver */
	function judge(late: number) {
		if (late > 0) loseHook();
		else if (!subscriptionOf(context)?.isRenewalDue) {
			unproven = undefined;
			delivering.worked();
		}
	}

	return {
		judge,
		saw: (keys: string[]) => void (newestKeys = keys),
		emitted: (keys: string[]) => keys.forEach((key) => unproven?.add(key)),
		/** @param keys of responses that ran, not found by a look since the hook was lost */
		delivered(keys: string[]) {
			if (keys.some((key) => !unproven?.has(key))) judge(0);
		},
		tick() {
			ticksSinceRenewal++;
			if (ticksSinceRenewal >= ticks(retryMs(failedRenewals))) void tryRenew();
		},
	};
}
