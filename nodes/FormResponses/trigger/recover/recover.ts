import type { CronExpression, ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import { sleep } from 'n8n-workflow';
import { keepParameters } from '../../parameters';
import type { Memory } from '../state/memory';
import { addTrigger } from '../state/memory';
import { productionState } from '../state/storedState';
import { changeHooks } from '../subscribe/spareHook';
import { retryMs, timing } from '../timing';
import { createEmission } from './emission';
import { watchHook } from './hookWatch';
import { createLooks } from './looks';
import { createOutage } from './outage';
import { TICK_MS } from './lookInterval';

const SETTLING_MS = 1_000;

/** @param isActive whether n8n has neither closed nor replaced the trigger */
function partsOf(context: ITriggerFunctions, memory: Memory, isActive: () => boolean) {
	const stateNow = () => {
		const state = productionState(context, memory);
		return isActive() && state?.status !== 'stopped' ? state : undefined;
	};
	const canLook = () => looks.failures() === 0;
	// The service is back, so look at once.
	const onSubscribed = () => void (canLook() || looks.look());
	const hook = watchHook({
		...{ memory, isActive, canLook, onSubscribed },
		outage: createOutage(context, 'get its responses delivered'),
		change: async (isDoubted) => await changeHooks(context, memory, isDoubted),
	});
	const emission = createEmission({ context, memory, isActive, onLate: hook.judge });
	const looks = createLooks({
		...{ context, memory, emission, stateNow },
		outage: createOutage(context, 'read the latest responses'),
	});
	return { stateNow, canLook, hook, looks };
}

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

	keepParameters(context);
	const { second, isActive, remove } = addTrigger(memory);
	const { stateNow, canLook, hook, looks } = partsOf(context, memory, isActive);
	/** Whether n8n's cron is often enough for looks. */
	let isSteady = false;

	/** Waits for n8n's call of `create` or `checkExists`, and then looks until a look succeeds. */
	async function begin() {
		const giveUpAt = performance.now() + timing.subscribingMs;
		await sleep(timing.firstLookMs);
		while (!memory.isSettled && performance.now() < giveUpAt) await sleep(SETTLING_MS);
		void hook.act();
		await looks.look();
		const isFailing = () => stateNow() !== undefined && !canLook();
		while (isFailing() && retryMs(looks.failures()) < TICK_MS) {
			await sleep(retryMs(looks.failures()));
			await looks.look();
		}
		isSteady = true;
	}

	const expression = `${second} * * * * *` as CronExpression;
	context.helpers.registerCron({ expression }, () => {
		if (looks.tick() && isSteady) void looks.look();
		hook.tick();
	});
	void begin();
	return { closeFunction: async () => remove() };
}
