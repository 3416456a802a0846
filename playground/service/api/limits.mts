import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestHandler } from 'express';
import type { Service } from '../service.mts';
import type { Settings } from '../settings.mts';
import { apiError } from './errors.mts';

export const latency =
	({ settings, closing }: Service): RequestHandler =>
	async (_request, _response, next) => {
		const how = { signal: closing, ref: false };
		if (settings.latencyMs > 0) await sleep(settings.latencyMs, undefined, how).catch(() => {});
		next();
	};

/** A token bucket for the whole service, full at first. */
export function createRateLimit() {
	let tokens = Number.POSITIVE_INFINITY;
	let filledAt = performance.now();

	return {
		take({ perSecond, burst }: NonNullable<Settings['rateLimit']>): boolean {
			const at = performance.now();
			tokens = Math.min(burst, tokens + ((at - filledAt) / 1000) * perSecond);
			filledAt = at;
			if (tokens < 1) return false;
			tokens -= 1;
			return true;
		},
		refill: () => void (tokens = Number.POSITIVE_INFINITY),
	};
}

export const rateLimit =
	({ settings, rateLimit: { take } }: Service): RequestHandler =>
	(_request, response, next) => {
		if (!settings.rateLimit || take(settings.rateLimit)) return next();
		response.set('Retry-After', String(settings.retryAfterSeconds));
		throw apiError(429, 'Too many requests.');
	};
