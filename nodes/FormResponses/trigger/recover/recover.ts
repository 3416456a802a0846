import type { CronExpression, ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { readAuthentication, readPollInterval } from '../../parameters';
import { responseKey } from '../../transport/responseKey';
import { listResponses, MAX_RESPONSES } from '../../transport/endpoints';
import { connect } from '../../transport/request';
import { isWanted } from '../onlyIf';
import { watchHook } from './hookWatch';
import { identityOf } from '../state/identity';
import { isKnown, knownKeys } from '../state/known';
import type { TriggerState } from '../state/state';
import { productionState, subscriptionOf } from '../state/storedState';
import { retryMs, timing } from '../timing';
import { addTrigger } from '../state/triggers';
import { createEmission } from './emission';
import { createOutage } from './outage';
import { halfAPageMs, lookInterval, TICK_MS, ticks, untilNextLookMs } from './pace';
import { missedOf } from './pending';

/** Undefined with a hook. An interval that cannot be read does not end the trigger: `create` tells it. */
function pollMsOf(context: ITriggerFunctions): number | undefined {
	if (readAuthentication(context) !== 'apiKey') return undefined;
	try {
		return TICK_MS * readPollInterval(context);
	} catch {
		return timing.longestRetryMs;
	}
}

/** Waits for the end of n8n's call of `create`. */
async function subscribed(context: ITriggerFunctions, isActive: () => boolean) {
	const giveUpAt = performance.now() + timing.subscribingMs;
	while (isActive() && performance.now() < giveUpAt) {
		const { state, isMade, isSettled, isRenewalDue } = subscriptionOf(context) ?? {};
		if (state?.status === 'polling' || isMade || isSettled || isRenewalDue) return;
		await sleep(1_000);
	}
}

/** Reads the newest responses, and has those emitted that nobody has. */
function createReader(
	context: ITriggerFunctions,
	emission: ReturnType<typeof createEmission>,
	hook: ReturnType<typeof watchHook>,
	pollMs: number | undefined,
) {
	const node = identityOf(context);
	let newestKeys: string[] = [];
	let looks = 0;
	return {
		async read(state: TriggerState) {
			const authentication = readAuthentication(context);
			const api = await connect(context, { authentication, maxWaitMs: timing.longestRetryMs });
			const newest = await listResponses(api, state.formId, MAX_RESPONSES);
			const wanted = newest.filter((one) => isWanted(context, one));
			const [before, keys] = [newestKeys, newest.map(responseKey)];
			newestKeys = keys;
			const isAnyNew = wanted.some((one) => !before.includes(responseKey(one)));
			// Otherwise what an earlier look saw is still shown.
			const hasGap = keys.length === MAX_RESPONSES && !before.includes(keys[MAX_RESPONSES - 1]);
			const isHandled = (key: string) => isKnown(node, key) || emission.isPending(key);
			const missed = missedOf(wanted, state, isHandled);
			const about = { isPolling: state.status === 'polling', isFirst: looks++ === 0 };
			if (missed.length > 0) {
				const isOldestShown = hasGap && missed[0] === wanted[wanted.length - 1];
				emission.add(missed, { now: Date.now(), ...about }, isOldestShown);
			} else if (isAnyNew && !about.isPolling && !about.isFirst) {
				hook.judge(0);
			} else if (hasGap && about.isPolling && !about.isFirst) {
				const name = context.getNode().name;
				context.logger.warn(`"${name}": more responses came than the API shows.`);
			}
		},
		/** Milliseconds between looks. */
		interval: () => pollMs ?? lookInterval(halfAPageMs([...newestKeys, ...knownKeys(node)]), looks),
	};
}

/**
 * Recovers missed responses: soon after each activation and start of n8n, then at the pace of the form, or with an
 * API key at the user's interval. Replaces a hook that is lost or could not be renewed at the start.
 */
export async function recover(context: ITriggerFunctions): Promise<ITriggerResponse> {
	// A test listener gets its response through its own webhook.
	if (context.getMode() === 'manual') return {};

	const pollMs = pollMsOf(context);
	const { second, isActive, remove } = addTrigger(identityOf(context));
	const outage = createOutage(context, 'read the latest responses');
	let [hasSettled, hasBegun, isLooking] = [false, false, false];
	let [failures, ticksSinceLook] = [0, 0];
	const canLook = () => failures === 0;
	// The service is back, so look at once.
	const onRenewed = () => void (failures > 0 && look());
	const hook = watchHook({ context, isActive, canLook, onRenewed });
	const emission = createEmission({ context, isActive, onEnded: hook.judge });
	const reader = createReader(context, emission, hook, pollMs);

	async function look() {
		const state = productionState(context);
		if (!isActive() || isLooking || !state || state.status === 'stopped') return;
		[isLooking, ticksSinceLook] = [true, 0];
		try {
			await reader.read(state);
			failures = 0;
			outage.worked();
		} catch (error) {
			failures++;
			outage.failed(error as Error);
		} finally {
			isLooking = false;
		}
	}

	async function begin() {
		await sleep(timing.firstLookMs);
		await subscribed(context, isActive);
		hasSettled = true;
		void hook.renewIfDue();
		await look();
		// Later, n8n's cron is often enough.
		while (failures > 0 && retryMs(failures) < TICK_MS) {
			await sleep(retryMs(failures));
			await look();
		}
		hasBegun = true;
	}

	const expression = `${second} * * * * *` as CronExpression;
	context.helpers.registerCron({ expression }, () => {
		emission.emitDue();
		const dueMs = untilNextLookMs(failures, reader.interval());
		ticksSinceLook++;
		if (hasBegun && ticksSinceLook >= ticks(dueMs)) void look();
		if (hasSettled) hook.tick();
	});
	void begin();
	return { closeFunction: async () => remove() };
}
