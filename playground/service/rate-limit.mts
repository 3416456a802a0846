import type { RateLimitSetting } from './settings.mts';

/** A token bucket for the whole service, initially full. */
export function createRateLimit() {
	let tokens = Number.POSITIVE_INFINITY;
	let filledAt = performance.now();

	return {
		take({ perSecond, burst }: RateLimitSetting): boolean {
			const at = performance.now();
			tokens = Math.min(burst, tokens + ((at - filledAt) / 1000) * perSecond);
			filledAt = at;
			if (tokens < 1) return false;
			tokens -= 1;
			return true;
		},
		refill(): void {
			tokens = Number.POSITIVE_INFINITY;
		},
	};
}
