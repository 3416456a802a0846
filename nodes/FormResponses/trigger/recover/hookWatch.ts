import type { ITriggerFunctions } from 'n8n-workflow';
import { createOutage } from './outage';
import { ticks } from './pace';
import { renew } from '../subscribe/renewal';
import { identityOf } from '../state/identity';
import { productionState, remember, subscriptionOf } from '../state/storedState';
import { hasTaken } from '../state/taken';
import { retryMs, timing } from '../timing';

interface WatchOptions {
	context: ITriggerFunctions;
	isActive: () => boolean;
	/** Whether the latest look succeeded. */
	canLook: () => boolean;
	/** Called when the service has made a hook. */
	onRenewed: () => void;
}

/** Whether n8n's call of `create` has ended. */
export function hasSubscribed(context: ITriggerFunctions): boolean {
	const { state, isMade, isRenewalDue } = subscriptionOf(context) ?? {};
	return state?.status === 'polling' || isMade === true || isRenewalDue === true;
}

/** Replaces a hook that is lost or could not be renewed at the start. */
export function watchHook({ context, isActive, canLook, onRenewed }: WatchOptions) {
	const outage = createOutage(context, 'get its responses delivered');
	let [isRenewing, failedRenewals, ticksSinceRenewal] = [false, 0, 0];

	async function renewIfDue() {
		if (!isActive() || isRenewing || !subscriptionOf(context)?.isRenewalDue) return;
		[isRenewing, ticksSinceRenewal] = [true, 0];
		try {
			const isRenewed = await renew(context);
			const { hookId } = subscriptionOf(context)?.state ?? {};
			const how = hookId ? `subscribed again with hook ${hookId}` : 'began to poll';
			if (isRenewed) context.logger.info(`"${context.getNode().name}" ${how}.`);
			failedRenewals = 0;
			onRenewed();
		} catch (error) {
			failedRenewals++;
			// An earlier hook may still deliver. If looks fail too, they tell it.
			const isHookLost = subscriptionOf(context)?.isHookLost === true;
			if (isHookLost && canLook()) outage.failed(error as Error);
		} finally {
			isRenewing = false;
		}
	}

	function loseHook() {
		const known = subscriptionOf(context);
		// What keeps it from being replaced says more.
		if (known?.isHookLost && known.isRenewalDue) return;
		const reason = 'its hook did not deliver what the form service has, so it subscribes again';
		outage.failed(new Error(reason));
		failedRenewals = 0;
		const state = productionState(context);
		if (state) remember(context, { ...known, state, isRenewalDue: true, isHookLost: true });
		void renewIfDue();
	}

	return {
		/** @param late how many of the responses that came in since the last look it failed to deliver in time */
		judge(late: number) {
			const isSlow = hasTaken(identityOf(context), timing.overdueMs);
			if (late > 0 && !isSlow) loseHook();
			else if (!subscriptionOf(context)?.isRenewalDue) outage.worked();
		},
		renewIfDue,
		tick() {
			ticksSinceRenewal++;
			if (ticksSinceRenewal >= ticks(retryMs(failedRenewals))) void renewIfDue();
		},
	};
}
