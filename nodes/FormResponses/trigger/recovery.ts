import type { CronExpression, ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { randomInt, sleep } from 'n8n-workflow';
import { readAuthentication, readWholeNumber } from '../parameters';
import { responseKey } from '../responseKey';
import { listResponses, MAX_RESPONSES } from '../transport/endpoints';
import { connect } from '../transport/request';
import type { ResponseEnvelope } from '../transport/types';
import { createEmission } from './emission';
import { perNode } from './identity';
import { isKnown, knownKeys } from './journal';
import { halfAPageMs, lookInterval } from './lookInterval';
import { missedOf } from './missed';
import { createOutage } from './outage';
import { renew } from './renewal';
import type { TriggerState } from './state';
import { productionState, remember, subscriptionOf } from './storedState';
import { timing } from './timing';

const TICK_MS = 60_000;

/**
 * The triggers of a node in this process; the last one is active. n8n keeps a trigger running whose `create`
 * failed, and starts another one on the next publication; it can only close the last (n8n,
 * workflow-trigger-activator.ts, workflow-active-triggers-state.ts).
 */
const triggersOf = perNode(() => ({ all: [] as symbol[], second: randomInt(60) }));

/** n8n registers no second cron with the same expression for a node, so triggers differ in the second. */
const SECONDS_APART = 7;

const retryMs = (failures: number) =>
	Math.min(
		timing.longestRetryMs,
		timing.firstRetryMs * 2 ** Math.min(Math.max(0, failures - 1), 30),
	);

/** An interval that cannot be read does not end the trigger: `create` tells it. */
function pollMs(context: ITriggerFunctions): number {
	try {
		const bounds = { min: 1, max: Infinity };
		return TICK_MS * readWholeNumber(context, 'pollInterval', 'Poll Interval', bounds);
	} catch {
		return timing.longestRetryMs;
	}
}

const ticks = (ms: number) => Math.max(1, Math.round(ms / TICK_MS));

const completedAtOf = (key: string) => key.slice(key.indexOf(' ') + 1);

/**
 * Recovers missed responses: shortly after each activation and start of n8n, then at the pace of the form.
 * Replaces a hook that is lost or could not be renewed at the start. With an API key, which cannot subscribe,
 * looks at the user's interval.
 */
export async function recover(context: ITriggerFunctions): Promise<ITriggerResponse> {
	// A test listener gets its response through its own webhook.
	if (context.getMode() === 'manual') return {};

	const authentication = readAuthentication(context);
	const looking = createOutage(context, 'read the latest responses');
	const delivering = createOutage(context, 'get its responses delivered');

	const self = Symbol(context.getNode().name);
	const triggers = triggersOf(context);
	triggers.all.push(self);
	triggers.second = (triggers.second + SECONDS_APART) % 60;
	const isActive = () => triggers.all[triggers.all.length - 1] === self;
	const emission = createEmission(context, isActive);

	let isLooking = false;
	let isRenewing = false;
	let hasSettled = false;
	let hasBegun = false;
	/** Successful looks, and failures since the last success. */
	let looks = 0;
	let failedLooks = 0;
	let failedRenewals = 0;
	let ticksSinceLook = 0;
	let ticksSinceRenewal = 0;
	let newestKeys: string[] = [];
	/**
	 * Set when the hook is lost: keys of older responses and of those that a look found, which say nothing about
	 * the next hook.
	 */
	let unproven: Set<string> | undefined;

	const isHandled = (key: string) => isKnown(context, key) || emission.isRunning(key);

	async function read(state: TriggerState): Promise<ResponseEnvelope[]> {
		const api = await connect(context, { authentication, maxWaitMs: timing.longestRetryMs });
		const newest = await listResponses(api, state.formId, MAX_RESPONSES);
		newestKeys = newest.map(responseKey);
		return newest;
	}

	/** @param late how many responses it failed to deliver; undefined if unknown */
	function judgeHook(late: number | undefined) {
		if (late === undefined) return;
		if (late > 0) loseHook();
		else if (!subscriptionOf(context)?.isRenewalDue) {
			unproven = undefined;
			delivering.worked();
		}
	}

	/** @returns how many of the responses had not run; undefined if unknown */
	async function start(missed: ResponseEnvelope[], isOldestShown: boolean) {
		const { generation, isGuess } = productionState(context) ?? { generation: 0 };
		missed.forEach((envelope) => unproven?.add(responseKey(envelope)));
		return await emission.emit(missed, { isOldestShown, isGuess, generation });
	}

	async function look(state: TriggerState) {
		const newest = await read(state);
		const missed = missedOf(newest, state, isHandled);
		const isOldestShown = newest.length >= MAX_RESPONSES && missed[0] === newest[newest.length - 1];
		// Nothing could be delivered before a start, and nothing is while polling.
		if (looks === 0 || state.status === 'polling') {
			if (missed.length > 0 && isActive()) void start(missed, isOldestShown);
			return;
		}
		// Deliveries may still be on their way, but an overflowing page leaves no time to wait.
		if (missed.length > 0 && !isOldestShown) await sleep(timing.overdueMs);
		const overdue = missed.filter((envelope) => !isHandled(responseKey(envelope)));
		if (overdue.length === 0) {
			if (newestKeys.some((key) => !unproven?.has(key))) judgeHook(0);
		} else if (isActive()) {
			void start(overdue, isOldestShown).then((late) => {
				// A hook that was given no time, and delivered part of the page, was still delivering.
				const isDelivering = isOldestShown && late !== undefined && late < MAX_RESPONSES;
				judgeHook(isDelivering ? 0 : late);
			});
		}
	}

	async function tryLook(): Promise<boolean> {
		const state = productionState(context);
		if (!isActive() || isLooking || state === undefined || state.status === 'stopped') return true;
		isLooking = true;
		ticksSinceLook = 0;
		try {
			await look(state);
			looks++;
			failedLooks = 0;
			looking.worked();
		} catch (error) {
			failedLooks++;
			looking.failed(error as Error);
		} finally {
			isLooking = false;
		}
		return failedLooks === 0;
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

	async function tryRenew() {
		if (!isActive() || isRenewing || !subscriptionOf(context)?.isRenewalDue) return;
		isRenewing = true;
		ticksSinceRenewal = 0;
		try {
			if (await renew(context))
				context.logger.info(`"${context.getNode().name}" subscribed again.`);
			failedRenewals = 0;
			// The service is back, so look at once.
			if (failedLooks > 0) void tryLook();
		} catch (error) {
			failedRenewals++;
			// An earlier hook may still deliver. If looks fail too, they tell it.
			const isHookLost = subscriptionOf(context)?.isHookLost === true;
			if (isHookLost && failedLooks === 0) delivering.failed(error as Error);
		} finally {
			isRenewing = false;
		}
	}

	function paceMs(): number {
		if (authentication === 'apiKey') return pollMs(context);
		const keys = [...new Set([...newestKeys, ...knownKeys(context)])];
		return lookInterval(halfAPageMs(keys.map(completedAtOf)), looks, timing);
	}

	const waitMs = () => (failedLooks > 0 ? Math.min(retryMs(failedLooks), paceMs()) : paceMs());

	/** Whether n8n's call of `create` has ended. */
	function isMade(): boolean {
		const subscription = subscriptionOf(context);
		if (subscription === undefined) return false;
		const { state, targetUrl, isRenewalDue } = subscription;
		return state?.status === 'polling' || targetUrl !== undefined || isRenewalDue === true;
	}

	async function begin() {
		await sleep(timing.firstLookMs);
		const giveUpAt = Date.now() + timing.subscribingMs;
		while (isActive() && !isMade() && Date.now() < giveUpAt) await sleep(1_000);
		hasSettled = true;
		void tryRenew();
		while (!(await tryLook()) && retryMs(failedLooks) < TICK_MS) {
			await sleep(retryMs(failedLooks));
		}
		hasBegun = true;
	}

	const expression = `${triggers.second} * * * * *` as CronExpression;
	context.helpers.registerCron({ expression }, () => {
		ticksSinceLook++;
		ticksSinceRenewal++;
		if (hasBegun && ticksSinceLook >= ticks(waitMs())) void tryLook();
		if (hasSettled && ticksSinceRenewal >= ticks(retryMs(failedRenewals))) void tryRenew();
	});
	void begin();
	return {
		closeFunction: async () => {
			triggers.all = triggers.all.filter((one) => one !== self);
		},
	};
}
