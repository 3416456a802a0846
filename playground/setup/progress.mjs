/** @typedef {{ what: string, seconds: number, gigabytes?: number }} Step seconds: on two cores, beside another step */

const EVERY_MS = 30_000;

/** @param {number} seconds */
function about(seconds) {
	const minutes = Math.round(seconds / 60);
	if (minutes < 1) return 'less than a minute';
	return minutes === 1 ? 'about 1 minute' : `about ${minutes} minutes`;
}

/** @param {Omit<Step, 'what'>} step */
const needsOf = ({ seconds, gigabytes }) =>
	about(seconds) + (gigabytes ? `, ${Number(gigabytes.toFixed(1))} GB of disk` : '');

/** @param {number} began gives 01:05 for a minute and five seconds */
const since = (began) => new Date(Date.now() - began).toISOString().slice(14, 19);

/**
 * Says what is being done, and how long it may take.
 *
 * @param {Step[]} steps
 * @param {number} atOnce
 */
export function startProgress(steps, atOnce) {
	const start = Date.now();
	/** @type {Map<Step, number>} */
	const running = new Map();
	let number = 0;

	const sum = steps.reduce((total, { seconds }) => total + seconds, 0);
	const seconds = Math.max(sum / atOnce, ...steps.map((step) => step.seconds));
	const gigabytes = steps.reduce((total, step) => total + (step.gigabytes ?? 0), 0);
	const all = needsOf({ seconds, gigabytes });
	console.log(`Installing what is missing (the first time only): ${all}`);

	const timer = setInterval(() => {
		const rests = [...running].map(([step, began]) => {
			const left = step.seconds - (Date.now() - began) / 1_000;
			return `${step.what}: ${left > 0 ? `${about(left)} to go` : 'takes longer than usual'}`;
		});
		console.log(`  ${since(start)}  ${rests.join('; ')}`);
	}, EVERY_MS);

	return {
		/**
		 * @param {Step} step
		 * @param {() => Promise<unknown>} work
		 */
		async during(step, work) {
			const began = Date.now();
			const name = `Step ${(number += 1)} of ${steps.length}`;
			console.log(`${name}: ${step.what} (${needsOf(step)})`);
			running.set(step, began);
			await work().finally(() => running.delete(step));
			console.log(`${name} done in ${since(began)}: ${step.what}`);
		},
		/** @param {string} outcome */
		end(outcome) {
			clearInterval(timer);
			console.log(`${outcome} after ${since(start)}\n`);
		},
	};
}
