import { setTimeout as sleep } from 'node:timers/promises';
import type { RequestHandler } from 'express';
import type { Service } from '../service.mts';
import { apiError } from './errors.mts';

export const latency =
	(service: Service): RequestHandler =>
	async (_request, _response, next) => {
		const { latencyMs } = service.settings;
		if (latencyMs === 0) return next();
		await sleep(latencyMs, undefined, { signal: service.closing, ref: false }).catch(() => {});
		next();
	};

export const rateLimit =
	(service: Service): RequestHandler =>
	(_request, response, next) => {
		const { rateLimit } = service.settings;
		if (!rateLimit || service.rateLimit.take(rateLimit)) return next();
		response.set('Retry-After', String(service.settings.retryAfterSeconds));
		throw apiError(429, 'Too many requests.');
	};
