import { z } from 'zod';
import { answersByLabel } from '../answers.mts';
import { createForms, newFormsSchema } from '../form-creation.mts';
import { sampleAnswers } from '../sample-answers.mts';
import type { Service } from '../service.mts';
import { completeAgain, storeSubmissions } from '../submission.mts';
import type { Answer, Delivery, Envelope, FormWithFields } from '../types.mts';
import { found, withBody, withoutBody } from './operation.mts';

const answer = z.strictObject({
	fieldId: z.string(),
	label: z.string(),
	type: z.string(),
	value: z.string(),
	rawValue: z.unknown().default(null),
});

const newResponses = z.strictObject({
	/** Values by label, or complete answers; samples by default. */
	answers: z.union([z.array(answer), z.custom<Record<string, unknown>>(isObject)]).optional(),
	respondentEmail: z.string().nullable().optional(),
	hiddenFields: z.custom<Record<string, string>>(isObject).optional(),
	metadata: z.custom<Record<string, unknown>>(isObject).default({ source: 'playground' }),
	/** Time of the first response; the others follow 1 ms apart. */
	completedAt: z.iso.datetime({ offset: true }).optional(),
	deliver: z.boolean().default(true),
	count: z.int().min(1).max(100_000).default(1),
});

const completion = z.strictObject({ deliver: z.boolean().default(true) });
const delivery = z.strictObject({ times: z.int().positive().default(1) });

type NewResponses = z.output<typeof newResponses>;

/** Used instead of z.record, which drops keys such as __proto__. */
function isObject(value: unknown): boolean {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function answersFor({ fields }: FormWithFields, given: NewResponses['answers'], n: number) {
	if (given === undefined) return sampleAnswers(fields, n);
	return Array.isArray(given) ? (given as Answer[]) : answersByLabel(fields, given);
}

function storeResponses(service: Service, form: FormWithFields, request: NewResponses) {
	const { answers, count, completedAt, respondentEmail, hiddenFields, metadata } = request;
	const offset = service.store.responses.countOf(form.id);
	const submissions = Array.from({ length: count }, (_, n) => ({
		respondentEmail,
		hiddenFields,
		metadata,
		answers: answersFor(form, answers, offset + n),
		completedAt: completedAt && new Date(Date.parse(completedAt) + n).toISOString(),
	}));
	return storeSubmissions(service, form, submissions);
}

/** Does not wait: deliveries take as long as their receivers. */
function deliverSoon(service: Service, responses: Envelope[]): void {
	for (const response of responses) void service.deliveries.deliver(response);
}

const responseNamed = (service: Service, id: string): Envelope =>
	found(service.store.responses.get(id), 'response');

export const data = [
	withBody('post', '/forms', newFormsSchema, ({ service, body }) => ({
		forms: createForms(service, body),
	})),
	withoutBody('delete', '/forms/:id', ({ service, id }) => {
		found(service.store.forms.remove(id), 'form');
	}),
	withBody('post', '/forms/:id/responses', newResponses, ({ service, id, body }) => {
		const form = found(service.store.forms.get(id), 'form');
		const responses = storeResponses(service, form, body);
		if (body.deliver) deliverSoon(service, responses);
		return { responses };
	}),
	withBody('post', '/responses/:id/complete', completion, ({ service, id, body }) => {
		const response = completeAgain(service, responseNamed(service, id));
		if (body.deliver) deliverSoon(service, [response]);
		return { response };
	}),
	withBody('post', '/responses/:id/deliver', delivery, async ({ service, id, body }) => {
		const response = responseNamed(service, id);
		const deliveries: Delivery[] = [];
		for (let round = 0; round < body.times; round += 1) {
			deliveries.push(...(await service.deliveries.deliver(response)));
		}
		return { deliveries };
	}),
];
