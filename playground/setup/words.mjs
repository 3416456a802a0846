/** @param {number} seconds */
export function aboutMinutes(seconds) {
	if (seconds < 50) return 'less than a minute';
	const minutes = Math.round(seconds / 60);
	return minutes === 1 ? 'about 1 minute' : `about ${minutes} minutes`;
}

/**
 * Such as 1:05.
 *
 * @param {number} ms
 */
export function clock(ms) {
	const seconds = Math.round(ms / 1_000);
	return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
