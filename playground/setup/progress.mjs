/** @param {number} milliseconds */
function clock(milliseconds) {
	const seconds = Math.round(milliseconds / 1000);
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/**
 * Shows that a step is going on: a ticking line on a terminal, a line every 15 seconds elsewhere.
 *
 * @param {string} title
 * @returns {(outcome: string) => void} what ends it
 */
export function startProgress(title) {
	const began = Date.now();
	const { isTTY } = process.stdout;
	/** @param {string} state */
	const line = (state) => `  ${title}: ${state}`;
	const show = () => {
		const text = line(`${clock(Date.now() - began)} so far`);
		process.stdout.write(isTTY ? `\r${text}` : `${text}\n`);
	};
	if (!isTTY) console.log(line('started'));
	const timer = setInterval(show, isTTY ? 1000 : 15_000);
	return (outcome) => {
		clearInterval(timer);
		process.stdout.write(
			`${isTTY ? '\r\x1b[K' : ''}${line(outcome)} after ${clock(Date.now() - began)}\n`,
		);
	};
}
