import type { ITriggerFunctions } from 'n8n-workflow';
import { createOutage } from './outage';
import { ticks } from './pace';
import { renew } from '../subscribe/renewal';
import { productionState, remember, subscriptionOf } from '../state/storedState';
import { retryMs } from '../timing';

interface Watched {
	context: ITriggerFunctions;
	isActive: () => boolean;
	/** Whether the latest look succeeded. */
	canLook: () => boolean;
	/** Called when the service has made a hook. */
	onRenewed: () => void;
	outage: ReturnType<typeof createOutage>;
	isRenewing: boolean;
	failedRenewals: number;
	ticksSinceRenewal: number;
	newestKeys: string[];
	/**
	 * Set when the hook is lost: keys of older responses and of those that a look found, which say nothing about
	 * the next hook.
	 */
	unproven?: Set<string>;
}

/** Whether n8n's call of `create` has ended. */
export function isMade(context: ITriggerFunctions): boolean {
	const subscription = subscriptionOf(context);
	if (subscription === undefined) return false;
	const { state, targetUrl, isRenewalDue } = subscription;
	return state?.status === 'polling' || targetUrl !== undefined || isRenewalDue === true;
}

async function tryRenew(hook: Watched) {
	const { context } = hook;
	if (!hook.isActive() || hook.isRenewing || !subscriptionOf(context)?.isRenewalDue) return;
	hook.isRenewing = true;
	hook.ticksSinceRenewal = 0;
	try {
		if (await renew(context)) context.logger.info(`"${context.getNode().name}" subscribed again.`);
		hook.failedRenewals = 0;
		hook.onRenewed();
	} catch (error) {
		hook.failedRenewals++;
		// An earlier hook may still deliver. If looks fail too, they tell it.
		const isHookLost = subscriptionOf(context)?.isHookLost === true;
		if (isHookLost && hook.canLook()) hook.outage.failed(error as Error);
	} finally {
		hook.isRenewing = false;
	}
}

function loseHook(hook: Watched) {
	const { context, outage } = hook;
	const known = subscriptionOf(context);
	// What keeps it from being replaced says more.
	if (known?.isHookLost && known.isRenewalDue) return;
	outage.failed(
		new Error('its hook did not deliver what the form service has, so it subscribes again'),
	);
	hook.failedRenewals = 0;
	hook.unproven = new Set(hook.newestKeys);
	const state = productionState(context);
	if (state) remember(context, { ...known, state, isRenewalDue: true, isHookLost: true });
	void tryRenew(hook);
}

function judge(hook: Watched, late: number) {
	if (late > 0) return loseHook(hook);
	if (subscriptionOf(hook.context)?.isRenewalDue) return;
	hook.unproven = undefined;
	hook.outage.worked();
}

/** Replaces a hook that is lost or could not be renewed at the start. */
export function watchHook(from: Pick<Watched, 'context' | 'isActive' | 'canLook' | 'onRenewed'>) {
	const hook: Watched = {
		...from,
		outage: createOutage(from.context, 'get its responses delivered'),
		isRenewing: false,
		failedRenewals: 0,
		ticksSinceRenewal: 0,
		newestKeys: [],
	};
	return {
		/** @param late how many responses it failed to deliver */
		judge: (late: number) => judge(hook, late),
		saw: (keys: string[]) => void (hook.newestKeys = keys),
		emitted: (keys: string[]) => keys.forEach((key) => hook.unproven?.add(key)),
		/** @param keys of responses that ran, and of which no look says that they were missed */
		delivered(keys: string[]) {
			if (keys.some((key) => !hook.unproven?.has(key))) judge(hook, 0);
		},
		renew: () => void tryRenew(hook),
		tick() {
			hook.ticksSinceRenewal++;
			if (hook.ticksSinceRenewal >= ticks(retryMs(hook.failedRenewals))) void tryRenew(hook);
		},
	};
}
