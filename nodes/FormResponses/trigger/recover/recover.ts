import type { CronExpression, ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { readAuthentication, readPollInterval } from '../../parameters';
import { responseKey } from '../../responseKey';
import { listResponses, MAX_RESPONSES } from '../../transport/endpoints';
import { connect } from '../../transport/request';
import { hasSubscribed, watchHook } from './hookWatch';
import { identityOf } from '../state/identity';
import { isKnown, knownKeys } from '../state/known';
import type { TriggerState } from '../state/state';
import { productionState } from '../state/storedState';
import { retryMs, timing } from '../timing';
import { addTrigger } from '../state/triggers';
import { createEmission } from './emission';
import { missedOf } from './missed';
import { createOutage } from './outage';
import { halfAPageMs, lookInterval, TICK_MS, ticks, untilNextLookMs } from './pace';

/** What a running trigger knows of its looks. */
interface Watch {
	context: ITriggerFunctions;
	isActive: () => boolean;
	/** The user's interval; undefined with a hook. */
	pollMs: number | undefined;
	hook: ReturnType<typeof watchHook>;
	emission: ReturnType<typeof createEmission>;
	outage: ReturnType<typeof createOutage>;
	isLooking: boolean;
	/** Successful looks, and failures since the last success. */
	looks: number;
	failures: number;
	ticksSinceLook: number;
	newestKeys: string[];
}

/** An interval that cannot be read does not end the trigger: `create` tells it. */
function pollMsOf(context: ITriggerFunctions): number | undefined {
	if (readAuthentication(context) !== 'apiKey') return undefined;
	try {
		return TICK_MS * readPollInterval(context);
	} catch {
		return timing.longestRetryMs;
	}
}

async function look(watch: Watch, state: TriggerState) {
	const { context, emission, hook } = watch;
	const authentication = readAuthentication(context);
	const api = await connect(context, { authentication, maxWaitMs: timing.longestRetryMs });
	const newest = await listResponses(api, state.formId, MAX_RESPONSES);
	const keys = newest.map(responseKey);
	const isAnyNew = keys.some((key) => !watch.newestKeys.includes(key));
	watch.newestKeys = keys;
	const node = identityOf(context);
	const isHandled = (key: string) => isKnown(node, key) || emission.isPending(key);
	const missed = missedOf(newest, state, isHandled);
	const about = { isPolling: state.status === 'polling', isFirst: watch.looks === 0 };
	if (missed.length > 0) {
		const isOldestShown = newest.length >= MAX_RESPONSES && missed[0] === newest[newest.length - 1];
		emission.add(missed, { now: Date.now(), ...about }, isOldestShown);
	} else if (isAnyNew && !about.isPolling && !about.isFirst) {
		hook.judge(0);
	}
}

async function tryLook(watch: Watch): Promise<void> {
	const state = productionState(watch.context);
	if (!watch.isActive() || watch.isLooking || !state || state.status === 'stopped') return;
	watch.isLooking = true;
	watch.ticksSinceLook = 0;
	try {
		await look(watch, state);
		watch.looks++;
		watch.failures = 0;
		watch.outage.worked();
	} catch (error) {
		watch.failures++;
		watch.outage.failed(error as Error);
	} finally {
		watch.isLooking = false;
	}
}

function untilNextMs({ context, pollMs, newestKeys, looks, failures }: Watch): number {
	const paceMs = halfAPageMs([...newestKeys, ...knownKeys(identityOf(context))]);
	return untilNextLookMs(failures, pollMs ?? lookInterval(paceMs, looks));
}

function createWatch(
	context: ITriggerFunctions,
	isActive: () => boolean,
	pollMs: number | undefined,
): Watch {
	// The service is back, so look at once.
	const onRenewed = () => void (watch.failures > 0 && tryLook(watch));
	const canLook = () => watch.failures === 0;
	const hook = watchHook({ context, isActive, canLook, onRenewed });
	const watch = {
		context,
		isActive,
		pollMs,
		hook,
		emission: createEmission({ context, isActive, onEnded: hook.judge }),
		outage: createOutage(context, 'read the latest responses'),
		isLooking: false,
		looks: 0,
		failures: 0,
		ticksSinceLook: 0,
		newestKeys: [],
	};
	return watch;
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
	const { second, isActive, remove } = addTrigger(identityOf(context));
	const watch = createWatch(context, isActive, pollMs);
	let hasSettled = false;
	let hasBegun = false;

	async function begin() {
		await sleep(timing.firstLookMs);
		const giveUpAt = performance.now() + timing.subscribingMs;
		while (isActive() && !hasSubscribed(context) && performance.now() < giveUpAt)
			await sleep(1_000);
		hasSettled = true;
		void watch.hook.renewIfDue();
		await tryLook(watch);
		// Later, n8n's cron is often enough.
		while (watch.failures > 0 && retryMs(watch.failures) < TICK_MS) {
			await sleep(retryMs(watch.failures));
			await tryLook(watch);
		}
		hasBegun = true;
	}

	const expression = `${second} * * * * *` as CronExpression;
	context.helpers.registerCron({ expression }, () => {
		watch.emission.emitDue();
		watch.ticksSinceLook++;
		if (hasBegun && watch.ticksSinceLook >= ticks(untilNextMs(watch))) void tryLook(watch);
		if (hasSettled) watch.hook.tick();
	});
	void begin();
	return { closeFunction: async () => remove() };
}
