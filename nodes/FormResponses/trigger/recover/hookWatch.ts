import type { ITriggerFunctions } from 'n8n-workflow';
import type { Memory } from '../state/memory';
import { productionState } from '../state/stored';
import { makeSpare, removeSpare, subscribeLate } from '../subscribe/spare';
import { retryMs } from '../timing';
import { createDoubt } from './doubt';
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

/** What changes hooks in a running trigger. */
function changesOf(context: ITriggerFunctions, memory: Memory) {
	const log = (what: string) => context.logger.info(`"${context.getNode().name}" ${what}.`);
	return {
		async subscribe() {
			await subscribeLate(context, memory);
			const { hookId } = memory.state ?? {};
			log(hookId ? `subscribed with hook ${hookId}` : 'began to poll');
		},
		/** @returns whether there is one now; undefined if the workflow was unpublished */
		async changeSpare() {
			if (memory.spare) {
				await removeSpare(context, memory);
				return false;
			}
			const hookId = await makeSpare(context, memory);
			if (hookId) log(`made hook ${hookId} beside the one that it doubts`);
			return hookId && true;
		},
	};
}

/** Subscribes if the start could not, and makes a spare beside a hook that brings nothing. */
export function watchHook({ context, memory, isActive, canLook, onSubscribed }: WatchOptions) {
	const outage = createOutage(context, 'get its responses delivered');
	const doubt = createDoubt();
	const changes = changesOf(context, memory);
	let [isBusy, failures, ticksSinceTry] = [false, 0, 0];

	function brought() {
		doubt.settle();
		outage.worked();
	}

	async function subscribe() {
		await changes.subscribe();
		outage.worked();
		onSubscribed();
	}

	async function changeSpare() {
		const isThere = await changes.changeSpare();
		if (isThere === undefined) return;
		outage.failed(NOTHING);
		doubt.changed(performance.now(), !isThere);
	}

	/** Without a hook that delivers, and without looks that tell of a failure themselves. */
	const isSilent = () => {
		const { hookId, webhookUrl } = productionState(context, memory) ?? {};
		const isDelivered = hookId !== undefined && webhookUrl === memory.webhookUrl;
		return canLook() && (!isDelivered || doubt.isRaised());
	};

	async function act() {
		if (doubt.isSettledBy(memory.deliveredAt)) brought();
		if (!isActive() || isBusy || !(memory.isDue || doubt.isDue(performance.now()))) return;
		[isBusy, ticksSinceTry] = [true, 0];
		try {
			await (memory.isDue ? subscribe : changeSpare)();
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
			else doubt.raise(performance.now());
		},
		act,
		tick() {
			if (++ticksSinceTry >= ticks(retryMs(failures))) void act();
		},
	};
}
