import fc from 'fast-check';
import type { Delivery } from '../../../../../nodes/FormResponses/trigger/receive/judge';
import { judge } from '../../../../../nodes/FormResponses/trigger/receive/judge';
import type { DeliveryToken } from '../../../../../nodes/FormResponses/trigger/state/deliveryToken';
import {
	toStoredKey,
	newToken,
} from '../../../../../nodes/FormResponses/trigger/state/deliveryToken';
import type { ResponseEnvelope } from '../../../../../nodes/FormResponses/transport/types';
import { aResponse, FORM_ID, OTHER_FORM_ID } from '../../../../samples';

const EVENT = 'response.completed';
const NOW = Date.parse('2026-03-01T12:00:00Z');

const elsewhere = aResponse({ formId: OTHER_FORM_ID });

const live = newToken(NOW - 1_000);
const retired = newToken(NOW - 9_000);
const pending = newToken(NOW);

/** An envelope in which some things are as they should be, and others are anything. */
const almost = fc
	.record({
		event: fc.oneof(fc.constant('response.completed'), fc.anything()),
		createdAt: fc.oneof(fc.constant('2026-03-01T12:00:00Z'), fc.anything()),
		data: fc.oneof(
			fc.constant(aResponse().data as unknown),
			fc.constant(elsewhere.data as unknown),
			fc.anything(),
			fc.dictionary(fc.string(), fc.anything()).map((more) => ({ ...aResponse().data, ...more })),
			fc
				.constantFrom(...Object.keys(aResponse().data))
				.chain((name) => fc.anything().map((value) => ({ ...aResponse().data, [name]: value }))),
		),
	})
	.map((body) => body as unknown);
const bodies = fc.oneof(fc.constant(aResponse() as unknown), almost, fc.anything());
const tokens = fc.oneof(
	fc.constantFrom<DeliveryToken | undefined>(live, retired, pending, undefined),
	fc.record({
		generation: fc.oneof(
			fc.constantFrom(live.generation, retired.generation, NOW),
			fc.integer({ min: 1e12, max: 1e13 }),
		),
		token: fc.oneof(
			fc.constantFrom(live.token, retired.token),
			fc.base64String({ minLength: 44, maxLength: 44 }).map((text) => text.slice(0, 43)),
		),
	}),
);
const deliveries: fc.Arbitrary<Delivery> = fc.record({
	body: bodies,
	token: tokens,
	keys: fc.constantFrom([retired, live, pending].map(toStoredKey), []),
	generation: fc.constant(live.generation),
	formId: fc.constantFrom<string | undefined>(FORM_ID, OTHER_FORM_ID, undefined),
	isPolling: fc.boolean(),
	isMadeHere: fc.boolean(),
});

const isOneOf = (token: DeliveryToken | undefined, known: DeliveryToken) =>
	token?.token === known.token && token.generation === known.generation;

test('whatever comes is judged without an error, never as one of ours, and no run starts without a right key', () => {
	fc.assert(
		fc.property(deliveries, (delivery) => {
			const { status, runs } = judge(delivery);
			const { body, token, keys, formId, isMadeHere, isPolling } = delivery;
			expect([200, 400, 403, 410]).toContain(status);
			if (runs === undefined) return;
			const { event, data } = body as ResponseEnvelope;
			expect([data.formId, isPolling]).toEqual([formId, false]);
			expect(token!.generation).toBeGreaterThanOrEqual(live.generation);
			const isKnown = keys.length > 0 && [live, pending].some((one) => isOneOf(token, one));
			if (isKnown) expect([status, runs, event]).toEqual([200, 'as delivered', EVENT]);
			else expect([status, runs, isMadeHere]).toEqual([403, 'if found', false]);
		}),
		{ numRuns: 3_000 },
	);
});
