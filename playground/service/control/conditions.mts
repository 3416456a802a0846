import { z } from 'zod';
import { faultSchema } from '../faults/fault.mts';
import { issueToken } from '../oauth/direct-token.mts';
import { seed } from '../seed.mts';
import type { Service } from '../service.mts';
import { defaultSettings, settingsSchema, type Settings } from '../settings.mts';
import { found, withBody, withoutBody } from './operation.mts';

function changeSettings(service: Service, changes: Partial<Settings>): void {
	Object.assign(service.settings, changes);
	service.rateLimit.refill();
}

const resetting = z.strictObject({
	seed: z.boolean().default(false),
	keepTokens: z.boolean().default(false),
});

const newToken = z.strictObject({
	scope: z.string().optional(),
	expiresInSeconds: z.number().optional(),
});

export const conditions = [
	withBody('post', '/reset', resetting, ({ service, body }) => {
		service.deliveries.forget();
		service.store.clear(body);
		service.requests.clear();
		service.faults.clear();
		changeSettings(service, defaultSettings);
		if (body.seed) seed(service);
	}),
	withBody('put', '/settings', settingsSchema.partial(), ({ service, body }) => {
		changeSettings(service, body);
		return service.settings;
	}),
	withBody('post', '/faults', faultSchema, ({ service, body }) => ({
		id: service.faults.add(body),
	})),
	withoutBody('delete', '/faults', ({ service }) => service.faults.clear()),
	withoutBody('delete', '/faults/:id', ({ service, id }) => {
		found(service.faults.remove(id), 'fault');
	}),
	withBody('post', '/tokens', newToken, ({ service, body }) => issueToken(service, body)),
	withoutBody('post', '/tokens/expire', ({ service }) => ({
		expired: service.store.tokens.expireAccessTokens(),
	})),
	withBody('post', '/tokens/find', z.strictObject({ text: z.string() }), ({ service, body }) => ({
		found: service.store.tokens.countIn(body.text),
	})),
];
