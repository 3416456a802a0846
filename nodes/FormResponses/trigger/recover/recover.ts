import type { CronExpression, ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { readAuthentication, readWholeNumber } from '../../parameters';
import { responseKey } from '../../responseKey';
import { listResponses, MAX_RESPONSES } from '../../transport/endpoints';
import { connect } from '../../transport/request';
import { knownKeys } from '../known';
import type { TriggerState } from '../state';
import { productionState } from '../storedState';
import { timing } from '../timing';
import { addTrigger } from '../triggers';
import { createEmission } from './emission';
import { isMade, watchHook } from './hook';
import { missedOf } from './missed';
import { createOutage } from './outage';
import { halfAPageMs, lookInterval, retryMs, TICK_MS, ticks, untilNextLookMs } from './pace';

/** The user's interval; undefined with a hook. One that cannot be read does not end the trigger: `create` tells it. */
function pollMsOf(context: ITriggerFunctions): number | undefined {
	if (readAuthentication(context) !== 'apiKey') return undefined;
	try {
		const limits = { min: 1, max: Infinity };
		return TICK_MS * readWholeNumber(context, 'pollInterval', 'Poll Interval', limits);
	} catch {
		return timing.longestRetryMs;
	}
}

/** Looks for missed responses, and has them emitted. */
function createLooks(
	context: ITriggerFunctions,
	isActive: () => boolean,
	pollMs: number | undefined,
) {
	const authentication = readAuthentication(context);
	const looking = createOutage(context, 'read the latest responses');
	/** The service is back, so look at once. */
	const onRenewed = () => void (failures > 0 && tryLook());
	const hook = watchHook(context, isActive, onRenewed);
	const emission = createEmission(context, isActive, { emitted: hook.emitted, ended: hook.judge });
	let isLooking = false;
	let looks = 0;
	/** Since the last success. */
	let failures = 0;
	let ticksSinceLook = 0;
	let newestKeys: string[] = [];

	async function look(state: TriggerState) {
		const api = await connect(context, { authentication, maxWaitMs: timing.longestRetryMs });
		const newest = await listResponses(api, state.formId, MAX_RESPONSES);
		newestKeys = newest.map(responseKey);
		hook.saw(newestKeys);
		const missed = missedOf(newest, state, emission.isHandled);
		const isPolling = state.status === 'polling';
		const isFirst = looks === 0;
		if (missed.length > 0) {
			const isOldestShown =
				newest.length >= MAX_RESPONSES && missed[0] === newest[newest.length - 1];
			emission.add(missed, { now: Date.now(), isPolling, isFirst }, isOldestShown);
		} else if (!isPolling && !isFirst) {
			hook.delivered(newestKeys.filter((key) => !emission.isPending(key)));
		}
	}

	async function tryLook(): Promise<void> {
		const state = productionState(context);
		if (!isActive() || isLooking || state === undefined || state.status === 'stopped') return;
		isLooking = true;
		ticksSinceLook = 0;
		try {
			await look(state);
			looks++;
			failures = 0;
			looking.worked();
		} catch (error) {
			failures++;
			looking.failed(error as Error);
		} finally {
			isLooking = false;
		}
	}

	function intervalMs(): number {
		const paceMs = halfAPageMs([...newestKeys, ...knownKeys(context)]);
		return pollMs ?? lookInterval(paceMs, looks, timing);
	}

	return {
		/** Until a look succeeds, or n8n's cron is often enough. */
		async begin() {
			for (;;) {
				await tryLook();
				if (failures === 0 || retryMs(failures) >= TICK_MS) return;
				await sleep(retryMs(failures));
			}
		},
		tick() {
			emission.emitDue();
			ticksSinceLook++;
			if (ticksSinceLook >= ticks(untilNextLookMs(failures, intervalMs()))) void tryLook();
		},
		tickOfHook: hook.tick,
	};
}

/**
 * Recovers missed responses: shortly after each activation and start of n8n, then at the pace of the form.
 * Replaces a hook that is lost or could not be renewed at the start. With an API key, which cannot subscribe,
 * looks at the user's interval.
 */
export async function recover(context: ITriggerFunctions): Promise<ITriggerResponse> {
	// A test listener gets its response through its own webhook.
	if (context.getMode() === 'manual') return {};

	const pollMs = pollMsOf(context);
	const { second, isActive, remove } = addTrigger(context);
	const looks = createLooks(context, isActive, pollMs);
	let hasSettled = false;
	let hasBegun = false;

	async function begin() {
		await sleep(timing.firstLookMs);
		const giveUpAt = Date.now() + timing.subscribingMs;
		while (isActive() && !isMade(context) && Date.now() < giveUpAt) await sleep(1_000);
		hasSettled = true;
		await looks.begin();
		hasBegun = true;
	}

	const expression = `${second} * * * * *` as CronExpression;
	context.helpers.registerCron({ expression }, () => {
		if (hasBegun) looks.tick();
		if (hasSettled) looks.tickOfHook();
	});
	void begin();
	return { closeFunction: async () => remove() };
}
