import { z } from 'zod';

export const settingsSchema = z.strictObject({
	/** For the whole service; null: no limit. */
	rateLimit: z
		.strictObject({ perSecond: z.number().positive(), burst: z.int().positive() })
		.nullable(),
	retryAfterSeconds: z.int().nonnegative(),
	maxHooks: z.int().nonnegative(),
	latencyMs: z.number().nonnegative(),
	deliveryTimeoutMs: z.int().positive(),
	deliveryDelayMs: z.int().nonnegative(),
	/** Waits after answers other than 2xx and 410, one for each further try. */
	deliveryRetriesSeconds: z.array(z.number().nonnegative()),
	/** Whether what waits for delivery goes with its hook. */
	removalDropsDeliveries: z.boolean(),
});

export type Settings = z.infer<typeof settingsSchema>;

export const defaultSettings: Settings = {
	rateLimit: null,
	retryAfterSeconds: 1,
	maxHooks: 20,
	latencyMs: 0,
	deliveryTimeoutMs: 10_000,
	deliveryDelayMs: 0,
	deliveryRetriesSeconds: [],
	removalDropsDeliveries: true,
};
