import type { CronExpression, ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { readAuthentication, readPollInterval } from '../../parameters';
import { responseKey } from '../../transport/responseKey';
import { listResponses, MAX_RESPONSES } from '../../transport/endpoints';
import { connect } from '../../transport/request';
import { isWanted } from '../onlyIf';
import type { Memory } from '../state/memory';
import { addTrigger } from '../state/memory';
import type { TriggerState } from '../state/state';
import { productionState } from '../state/stored';
import { retryMs, timing } from '../timing';
import { createEmission } from './emission';
import { watchHook } from './hookWatch';
import { decide } from './look';
import { createOutage } from './outage';
import { halfAPageMs, lookInterval, TICK_MS, ticks, untilNextLookMs } from './pace';

const SETTLING_MS = 1_000;

/** Undefined with a hook. An interval that cannot be read does not end the trigger: `create` tells it. */
function pollMsOf(context: ITriggerFunctions): number | undefined {
	if (readAuthentication(context) !== 'apiKey') return undefined;
	try {
		return TICK_MS * readPollInterval(context);
	} catch {
		return timing.longestRetryMs;
	}
}

/** Reads the newest responses, and has those emitted that nobody has. */
function createReader(
	context: ITriggerFunctions,
	memory: Memory,
	emission: ReturnType<typeof createEmission>,
	hook: ReturnType<typeof watchHook>,
	pollMs: number | undefined,
) {
	let newestKeys: string[] = [];
	let looks = 0;
	return {
		async read(state: TriggerState) {
			const authentication = readAuthentication(context);
			const api = await connect(context, { authentication, maxWaitMs: timing.longestRetryMs });
			const newest = await listResponses(api, state.formId, MAX_RESPONSES);
			const about = { isPolling: state.status === 'polling', isFirst: looks++ === 0 };
			const { missed, isOldestShown, wasDelivered, isOverrun } = decide({
				...{ newest, before: newestKeys, start: state, ...about },
				isFull: newest.length === MAX_RESPONSES,
				isWanted: (one) => isWanted(context, one),
				isHandled: (key) => memory.known.has(key) || emission.isPending(key),
			});
			newestKeys = newest.map(responseKey);
			if (missed.length > 0) emission.add(missed, { now: Date.now(), ...about }, isOldestShown);
			if (wasDelivered) hook.judge(0);
			if (isOverrun) {
				const { name } = context.getNode();
				context.logger.warn(`"${name}": more responses came than the API shows.`);
			}
		},
		/** Milliseconds between looks. */
		interval: () => pollMs ?? lookInterval(halfAPageMs([...newestKeys, ...memory.known]), looks),
	};
}

/**
 * - `settling`: waits for n8n's call of `create` or `checkExists`.
 * - `catchingUp`: looks until a look succeeds.
 * - `steady`: n8n's cron is often enough.
 * - `closed`: nothing is done any more.
 */
type Phase = 'settling' | 'catchingUp' | 'steady' | 'closed';

/**
 * Recovers missed responses: soon after each activation and start of n8n, then at the pace of the form, or with an
 * API key at the user's interval.
 */
export async function recover(
	context: ITriggerFunctions,
	memory: Memory,
): Promise<ITriggerResponse> {
	// A test listener gets its response through its own webhook.
	if (context.getMode() === 'manual') return {};

	const { second, isActive, remove } = addTrigger(memory);
	const outage = createOutage(context, 'read the latest responses');
	let phase: Phase = 'settling';
	let [isLooking, failures, ticksSinceLook] = [false, 0, 0];
	const stateNow = () => {
		const state = productionState(context, memory);
		return isActive() && state?.status !== 'stopped' ? state : undefined;
	};
	const canLook = () => failures === 0;
	// The service is back, so look at once.
	const onSubscribed = () => void (failures > 0 && look());
	const hook = watchHook({ context, memory, isActive, canLook, onSubscribed });
	const emission = createEmission({ context, memory, isActive, onEnded: hook.judge });
	const reader = createReader(context, memory, emission, hook, pollMsOf(context));

	async function look() {
		const state = stateNow();
		if (isLooking || state === undefined) return;
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

	/** Goes through the phases, unless n8n closes the trigger. */
	async function begin() {
		const giveUpAt = performance.now() + timing.subscribingMs;
		await sleep(timing.firstLookMs);
		while (phase === 'settling' && !memory.isSettled && performance.now() < giveUpAt)
			await sleep(SETTLING_MS);
		if (phase === 'closed') return;
		phase = 'catchingUp';
		void hook.act();
		await look();
		while (phase === 'catchingUp' && stateNow() && failures > 0 && retryMs(failures) < TICK_MS) {
			await sleep(retryMs(failures));
			await look();
		}
		if (phase === 'catchingUp') phase = 'steady';
	}

	const expression = `${second} * * * * *` as CronExpression;
	context.helpers.registerCron({ expression }, () => {
		emission.emitDue();
		const dueMs = untilNextLookMs(failures, reader.interval());
		ticksSinceLook++;
		if (phase === 'steady' && ticksSinceLook >= ticks(dueMs)) void look();
		if (phase !== 'settling') hook.tick();
	});
	void begin();
	return {
		closeFunction: async () => {
			phase = 'closed';
			remove();
		},
	};
}
