import fc from 'fast-check';
import type { Delivery } from '../../../../../nodes/FormResponses/trigger/receive/judge';
import { judge } from '../../../../../nodes/FormResponses/trigger/receive/judge';
import type { DeliveryToken } from '../../../../../nodes/FormResponses/trigger/state/deliveryToken';
import {
	toStoredKey,
	newToken,
} from '../../../../../nodes/FormResponses/trigger/state/deliveryToken';
import type { ResponseEnvelope } from '../../../../../nodes/FormResponses/transport/types';
import type { TriggerState } from '../../../../../nodes/FormResponses/trigger/state/state';
import { aResponse, FORM_ID, OTHER_FORM_ID } from '../../../../samples';
import { BASE_URL } from '../../../../service';

const NOW = Date.parse('2026-03-01T12:00:00Z');

const elsewhere = aResponse({ formId: OTHER_FORM_ID });

const live = newToken(NOW - 1_000);
const retired = newToken(NOW - 9_000);
const state: TriggerState = {
	status: 'subscribed',
	hookId: 'hook',
	formId: FORM_ID,
	baseUrl: BASE_URL,
	webhookUrl: '',
	generation: live.generation,
	since: '2026-03-01T11:00:00Z',
	baseline: [],
	keys: [toStoredKey(retired, FORM_ID), toStoredKey(live, FORM_ID)],
};

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
	fc.constantFrom<DeliveryToken | undefined>(live, retired, undefined),
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
	state: fc.constantFrom<TriggerState | undefined>(state, undefined),
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
			const { body, token, state: known, formId, isMadeHere, isPolling } = delivery;
			expect([200, 400, 403, 410]).toContain(status);
			if (runs === undefined) return;
			const { event, data } = body as ResponseEnvelope;
			const of = data.formId;
			const key = [live, retired].find((one) => known && isOneOf(token, one));
			if (key) expect([event, of]).toEqual(['response.completed', FORM_ID]);
			if (key === live) expect([status, runs]).toEqual([200, 'as delivered']);
			else if (key === retired) expect([status, runs, formId]).toEqual([410, 'if found', of]);
			else {
				expect([runs, isMadeHere, formId]).toEqual(['if found', false, of]);
				expect(status).toBe(token!.generation < live.generation ? 410 : 403);
			}
			expect(isPolling).toBe(false);
		}),
		{ numRuns: 3_000 },
	);
});
