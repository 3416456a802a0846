import { clearLine, cursorTo } from 'node:readline';

const out = process.stdout;
let status = '';

/** Only a terminal can show a line that changes. */
export const canChange = Boolean(out.isTTY);

function clear() {
	if (!status) return;
	cursorTo(out, 0);
	clearLine(out, 0);
}

/** @param {string} line */
export function say(line) {
	clear();
	console.log(line);
	out.write(status);
}

/**
 * Shows a line below all others, in place of the last such line.
 *
 * @param {string} line
 */
export function showStatus(line) {
	clear();
	status = line.slice(0, out.columns - 1);
	out.write(status);
}
