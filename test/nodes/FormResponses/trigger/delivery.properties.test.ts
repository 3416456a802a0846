import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import type { Delivery } from '../../../../nodes/FormResponses/trigger/delivery';
import { judge } from '../../../../nodes/FormResponses/trigger/delivery';
import type { DeliveryKey } from '../../../../nodes/FormResponses/trigger/key';
import { newKey } from '../../../../nodes/FormResponses/trigger/key';
import type { SubscriptionState } from '../../../../nodes/FormResponses/trigger/state';
import { startClock } from '../../../clock';
import { deliver } from '../../../n8n/webhook';
import { aResponse, FORM_ID, OTHER_FORM_ID } from '../../../samples';
import { BASE_URL, fakeService } from '../../../service';
import { activated, currentQuery } from './trigger.fixture';

const NOW = Date.parse('2026-03-01T12:00:00Z');

const elsewhere = aResponse({ formId: OTHER_FORM_ID });

describe('whatever comes', () => {
	const live = newKey(NOW - 1_000);
	const retired = newKey(NOW - 9_000);
	const state: SubscriptionState = {
		hookId: 'hook',
		formId: FORM_ID,
		baseUrl: BASE_URL,
		targetUrl: '',
		webhookUrl: '',
		...live,
		since: '2026-03-01T11:00:00Z',
		old: [],
		keys: [
			{ ...retired, formId: FORM_ID },
			{ ...live, formId: FORM_ID },
		],
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
	const keys = fc.oneof(
		fc.constantFrom<DeliveryKey | undefined>(live, retired, undefined),
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
		key: keys,
		state: fc.constantFrom<SubscriptionState | undefined>(state, undefined),
		formId: fc.constantFrom<string | undefined>(FORM_ID, OTHER_FORM_ID, undefined),
		isPolling: fc.boolean(),
		now: fc.constant(NOW),
	});

	const isOneOf = (key: DeliveryKey | undefined, known: DeliveryKey) =>
		key?.token === known.token && key.generation === known.generation;

	test('it is judged without an error, never as one of ours, and no run starts without a right key', () => {
		fc.assert(
			fc.property(deliveries, (delivery) => {
				const verdict = judge(delivery);
				expect([200, 400, 403, 410]).toContain(verdict.status);
				if (verdict.run) {
					expect(delivery.isPolling).toBe(false);
					expect(delivery.state).toBeDefined();
					const isLive = isOneOf(delivery.key, live);
					expect(isLive || isOneOf(delivery.key, retired)).toBe(true);
					expect(verdict.status).toBe(isLive ? 200 : 410);
					expect(verdict.run.event).toBe('response.completed');
					expect(verdict.run.data.formId).toBe(FORM_ID);
				}
				if (verdict.lookUp) expect([verdict.status, verdict.run]).toEqual([403, undefined]);
			}),
			{ numRuns: 3_000 },
		);
	});

	test('the right key with a real response always runs', () => {
		fc.assert(
			fc.property(
				fc.record({
					respondentEmail: fc.option(fc.string()),
					formTitle: fc.string(),
					answers: fc.array(
						fc.record({
							fieldId: fc.string(),
							label: fc.string(),
							type: fc.string(),
							value: fc.string(),
							rawValue: fc.jsonValue(),
						}),
					),
					fields: fc.dictionary(fc.string(), fc.string()),
					hiddenFields: fc.dictionary(fc.string(), fc.string()),
					metadata: fc.dictionary(fc.string(), fc.jsonValue()),
				}),
				(data) => {
					const body = aResponse(data);
					const delivery = { body, state, formId: FORM_ID, isPolling: false, now: NOW };
					expect(judge({ ...delivery, key: live })).toMatchObject({ status: 200, run: body });
					expect(judge({ ...delivery, key: retired })).toMatchObject({ status: 410, run: body });
				},
			),
			{ numRuns: 500 },
		);
	});

	test('it changes nothing', () => {
		const before = JSON.stringify(state);
		const body = aResponse();
		judge({ body, key: live, state, formId: FORM_ID, isPolling: false, now: NOW });
		expect(JSON.stringify(state)).toBe(before);
		expect(body).toEqual(aResponse());
	});

	test('the webhook itself never throws and leaves static data alone', async () => {
		startClock();
		const service = fakeService();
		const stored = await activated(service);
		const right = currentQuery(service);
		const queries = fc.oneof(
			fc.constant(right as Record<string, unknown>),
			fc.dictionary(fc.string(), fc.anything()),
			fc.anything().map((key) => ({ key })),
		);
		await fc.assert(
			fc.asyncProperty(bodies, queries, async (body, query) => {
				const answer = await deliver(stored, { body: body as IDataObject, query });
				expect(answer.status).toBeLessThan(500);
				expect(answer.isStaticDataUntouched).toBe(true);
				if (answer.run) expect(query.key).toBe(right.key);
			}),
			{ numRuns: 200 },
		);
	});
});
