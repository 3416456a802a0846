import type { Memory } from '../state/memory';
import type { Change } from '../subscribe/spareHook';
import { retryMs } from '../timing';
import { createDoubt } from './hookDoubt';
import type { Outage } from './outage';
import { ticks } from './lookInterval';

interface WatchOptions {
	memory: Memory;
	outage: Outage;
	/** Subscribes if that is due; makes or removes a spare if the hook is in doubt. */
	change: (isDoubted: () => boolean) => Promise<Change>;
	isActive: () => boolean;
	/** Whether the latest look succeeded. */
	canLook: () => boolean;
	onSubscribed: () => void;
}

const NOTHING = new Error('its hook did not deliver what the form service has');

/** Watches whether the hook delivers: subscribes if the start could not, and makes a spare beside a hook that brings nothing. */
export function watchHook(options: WatchOptions) {
	const { memory, outage, change, isActive, canLook, onSubscribed } = options;
	const doubt = createDoubt();
	let [isBusy, failures, ticksSinceTry] = [false, 0, 0];

	const isDoubted = () => doubt.isDue(performance.now());

	function brought() {
		doubt.settle();
		outage.worked();
	}

	function changed(what: Change) {
		if (what === 'subscribed') {
			outage.worked();
			onSubscribed();
		} else if (what !== undefined) {
			outage.failed(NOTHING);
			doubt.changed(performance.now(), what === 'spareRemoved');
		}
	}

	async function act() {
		if (doubt.isSettledBy(memory.deliveredAt)) brought();
		if (!isActive() || isBusy) return;
		[isBusy, ticksSinceTry] = [true, 0];
		try {
			changed(await change(isDoubted));
			failures = 0;
		} catch (error) {
			failures++;
			// Otherwise looks report that the service fails.
			if (canLook()) outage.failed(error as Error);
		} finally {
			isBusy = false;
		}
	}

	return {
		/** @param isLate whether it failed to deliver a response that came in since the last look */
		judge(isLate: boolean) {
			if (isLate) doubt.raise(performance.now());
			else brought();
		},
		act,
		tick() {
			if (++ticksSinceTry >= ticks(retryMs(failures))) void act();
		},
	};
}
