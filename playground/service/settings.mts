export type RateLimitSetting = { perSecond: number; burst: number };

export type Settings = {
	rateLimit: RateLimitSetting | null;
	retryAfter: 'seconds' | 'date';
	retryAfterSeconds: number;
	maxHooks: number;
	latencyMs: number;
	accessTokenLifetimeSeconds: number;
	refreshTokens: boolean;
	deliveryRetries: number;
	deliveryRetryWaitMs: number;
	deliveryTimeoutMs: number;
	deliveriesAtOnce: number;
};

export const defaultSettings: Settings = {
	rateLimit: null,
	retryAfter: 'seconds',
	retryAfterSeconds: 1,
	maxHooks: 20,
	latencyMs: 0,
	accessTokenLifetimeSeconds: 3600,
	refreshTokens: true,
	deliveryRetries: 0,
	deliveryRetryWaitMs: 1000,
	deliveryTimeoutMs: 10_000,
	deliveriesAtOnce: 50,
};
