import type { ITriggerFunctions } from 'n8n-workflow';
import type { Memory } from '../state/memory';
import { productionState } from '../state/stored';
import { makeSpare, removeSpare, subscribeLate } from '../subscribe/spare';
import { retryMs, timing } from '../timing';
import { createOutage } from './outage';
import { ticks } from './pace';

interface WatchOptions {
	context: ITriggerFunctions;
	memory: Memory;
	isActive: () => boolean;
	/** Whether the latest look succeeded. */
	canLook: () => boolean;
	onSubscribed: () => void;
}

const NOTHING = new Error('its hook did not deliver what the form service has');

/** Until the next spare, after so many that brought nothing. */
const untilNextSpareMs = (vain: number) =>
	vain === 0 ? 0 : Math.min(timing.firstSpareMs * 2 ** (vain - 1), timing.longestSpareMs);

/** Subscribes if the start could not, and makes a spare beside a hook that brings nothing. */
export function watchHook({ context, memory, isActive, canLook, onSubscribed }: WatchOptions) {
	const { name } = context.getNode();
	const outage = createOutage(context, 'get its responses delivered');
	let [isBusy, failures, ticksSinceTry] = [false, 0, 0];
	/** Since when only looks brought anything. */
	let doubtedSince: number | undefined;
	let [spares, spareAt] = [0, -Infinity];

	function brought() {
		doubtedSince = undefined;
		spares = 0;
		outage.worked();
	}

	async function subscribe() {
		await subscribeLate(context, memory);
		const { hookId } = memory.state ?? {};
		context.logger.info(
			`"${name}" ${hookId ? `subscribed with hook ${hookId}` : 'began to poll'}.`,
		);
		outage.worked();
		onSubscribed();
	}

	async function changeSpare() {
		if (memory.spare) {
			await removeSpare(context, memory);
			spares++;
			spareAt = performance.now() + untilNextSpareMs(spares);
		} else {
			const hookId = await makeSpare(context, memory);
			if (hookId === undefined) return;
			context.logger.info(`"${name}" made hook ${hookId} beside the one that it doubts.`);
		}
		outage.failed(NOTHING);
		doubtedSince = undefined;
	}

	/** What there is to do now. */
	function task() {
		if (memory.isDue) return subscribe;
		const now = performance.now();
		const isDoubted = doubtedSince !== undefined && now - doubtedSince >= timing.doubtMs;
		return isDoubted && now >= spareAt ? changeSpare : undefined;
	}

	/** Without a hook that delivers, and without looks that tell of a failure themselves. */
	const isSilent = () => {
		const { hookId, webhookUrl } = productionState(context, memory) ?? {};
		const isDelivered = hookId !== undefined && webhookUrl === memory.webhookUrl;
		return canLook() && (!isDelivered || doubtedSince !== undefined);
	};

	async function act() {
		if (doubtedSince !== undefined && memory.deliveredAt > doubtedSince) brought();
		const next = task();
		if (!isActive() || isBusy || !next) return;
		[isBusy, ticksSinceTry] = [true, 0];
		try {
			await next();
			failures = 0;
		} catch (error) {
			failures++;
			if (isSilent()) outage.failed(error as Error);
		} finally {
			isBusy = false;
		}
	}

	return {
		/** @param late how many of the responses that came in since the last look it failed to deliver in time */
		judge(late: number) {
			if (late === 0) brought();
			else doubtedSince ??= performance.now();
		},
		act,
		tick() {
			ticksSinceTry++;
			if (ticksSinceTry >= ticks(retryMs(failures))) void act();
		},
	};
}
