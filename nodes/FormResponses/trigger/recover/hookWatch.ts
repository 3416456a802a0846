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
	onRenewed: () => void;
}

/** Replaces a hook that is lost or could not be renewed at the start. */
export function watchHook({ context, isActive, canLook, onRenewed }: WatchOptions) {
	const outage = createOutage(context, 'get its responses delivered');
	let [isRenewing, failures, ticksSinceRenewal] = [false, 0, 0];

	async function renewIfDue() {
		if (!isActive() || isRenewing || !subscriptionOf(context)?.isRenewalDue) return;
		[isRenewing, ticksSinceRenewal] = [true, 0];
		try {
			const isRenewed = await renew(context);
			const { hookId } = subscriptionOf(context)?.state ?? {};
			const how = hookId ? `subscribed again with hook ${hookId}` : 'began to poll';
			if (isRenewed) context.logger.info(`"${context.getNode().name}" ${how}.`);
			failures = 0;
			onRenewed();
		} catch (error) {
			failures++;
			// An earlier hook may still deliver. If looks fail too, they tell it.
			if (subscriptionOf(context)?.isHookLost && canLook()) outage.failed(error as Error);
		} finally {
			isRenewing = false;
		}
	}

	return {
		/** @param late how many of the responses that came in since the last look it failed to deliver in time */
		judge(late: number) {
			const known = subscriptionOf(context);
			const isSlow = hasTaken(identityOf(context), timing.overdueMs);
			if (late === 0 || isSlow) {
				if (!known?.isRenewalDue) outage.worked();
				return;
			}
			// What keeps it from being replaced says more.
			if (known?.isHookLost && known.isRenewalDue) return;
			const reason = 'its hook did not deliver what the form service has, so it subscribes again';
			outage.failed(new Error(reason));
			failures = 0;
			const state = productionState(context);
			remember(context, { ...known, state, isRenewalDue: true, isHookLost: true });
			void renewIfDue();
		},
		renewIfDue,
		tick() {
			ticksSinceRenewal++;
			if (ticksSinceRenewal >= ticks(retryMs(failures))) void renewIfDue();
		},
	};
}
