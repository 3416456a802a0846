import { canChange, say, showStatus } from './screen.mjs';
import { aboutMinutes, clock } from './words.mjs';

/** @typedef {import('./parts.mjs').Step} Step */

const EVERY_MS = canChange ? 1_000 : 60_000;

/** @param {Omit<Step, 'what'>} step */
const needsOf = ({ seconds, gigabytes, needs }) =>
	needs ?? aboutMinutes(seconds) + (gigabytes ? `, ${gigabytes} GB of disk` : '');

/**
 * @param {Step} step
 * @param {number} sinceMs
 */
function rest({ what, seconds }, sinceMs) {
	const left = seconds - sinceMs / 1_000;
	return `${what}: ${left > 0 ? `${aboutMinutes(left)} to go` : 'takes longer than usual'}`;
}

/**
 * Tells what is being done, and how long it may take.
 *
 * @param {Step[]} steps
 * @param {number} atOnce
 */
export function startProgress(steps, atOnce) {
	const began = Date.now();
	/** @type {Map<Step, number>} */
	const running = new Map();
	let number = 0;

	const sum = steps.reduce((total, { seconds }) => total + seconds, 0);
	const longest = Math.max(...steps.map(({ seconds }) => seconds));
	const disk = steps.reduce((total, { gigabytes = 0 }) => total + gigabytes, 0);
	const all = { seconds: Math.max(longest, sum / atOnce), gigabytes: Number(disk.toFixed(1)) };
	say(`Installing what is missing (the first time only): ${needsOf(all)}`);

	function tellRest() {
		if (running.size === 0) return;
		const now = Date.now();
		const rests = [...running].map(([step, since]) => rest(step, now - since));
		const line = `  ${clock(now - began)}  ${rests.join('; ')}`;
		if (canChange) showStatus(line);
		else say(line);
	}
	const timer = setInterval(tellRest, EVERY_MS);

	return {
		/**
		 * @template T
		 * @param {Step} step
		 * @param {() => Promise<T>} work
		 */
		async during(step, work) {
			const since = Date.now();
			const name = `Step ${(number += 1)} of ${steps.length}`;
			say(`${name}: ${step.what} (${needsOf(step)})`);
			running.set(step, since);
			try {
				const result = await work();
				say(`${name} done in ${clock(Date.now() - since)}: ${step.what}`);
				return result;
			} finally {
				running.delete(step);
			}
		},
		/** @param {string} outcome */
		end(outcome) {
			clearInterval(timer);
			showStatus('');
			say(`${outcome} after ${clock(Date.now() - began)}\n`);
		},
	};
}
