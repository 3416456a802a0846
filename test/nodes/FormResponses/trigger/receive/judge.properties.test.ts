import fc from 'fast-check';
import type { Delivery } from '../../../../../nodes/FormResponses/trigger/receive/judge';
import { judge } from '../../../../../nodes/FormResponses/trigger/receive/judge';
import type { ResponseEnvelope } from '../../../../../nodes/FormResponses/transport/types';
import { aResponse, FORM_ID, OTHER_FORM_ID } from '../../../../samples';

const EVENT = 'response.completed';
const LIVE = Date.parse('2026-03-01T12:00:00Z');

const elsewhere = aResponse({ formId: OTHER_FORM_ID });

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
const deliveries: fc.Arbitrary<Delivery> = fc.record({
	body: bodies,
	generation: fc.constantFrom(undefined, LIVE - 1, LIVE, LIVE + 1),
	liveGeneration: fc.constant(LIVE),
	isProven: fc.boolean(),
	formId: fc.constantFrom<string | undefined>(FORM_ID, OTHER_FORM_ID, undefined),
	isPolling: fc.boolean(),
});

test('whatever comes is judged without an error, and only a completed response with a right key runs', () => {
	fc.assert(
		fc.property(deliveries, (delivery) => {
			const refusal = judge(delivery);
			if (refusal) {
				expect([200, 400, 403, 410]).toContain(refusal[0]);
				return;
			}
			const { body, generation, formId, isPolling, isProven } = delivery;
			const { event, data } = body as ResponseEnvelope;
			expect([event, data.formId]).toEqual([EVENT, formId]);
			expect([isPolling, isProven, generation! >= LIVE]).toEqual([false, true, true]);
		}),
		{ numRuns: 3_000 },
	);
});
