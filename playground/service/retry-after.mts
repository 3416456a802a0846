import type { Settings } from './settings.mts';

/** HTTP dates have whole seconds only: rounded up, so that a caller never retries too early. */
const httpDateIn = (seconds: number): string =>
	new Date(Math.ceil((Date.now() + seconds * 1000) / 1000) * 1000).toUTCString();

const formats: Record<Settings['retryAfter'], (seconds: number) => string> = {
	seconds: String,
	date: httpDateIn,
};

export const retryAfter = (settings: Settings): string =>
	formats[settings.retryAfter](settings.retryAfterSeconds);
