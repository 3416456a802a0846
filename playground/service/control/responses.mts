import type { Request } from 'express';
import { answersByLabel, type RawAnswers } from '../answers.mts';
import { apiError } from '../api/errors.mts';
import { sampleAnswers } from '../sample-answers.mts';
import type { Service } from '../service.mts';
import { completeAgain, storeSubmissions, type Submission } from '../submission.mts';
import type { Answer, Delivery, Envelope, FormWithFields } from '../types.mts';
import { bodyOf, idIn, type Operations } from './operation.mts';

type NewResponses = Omit<Submission, 'answers'> & {
	answers?: RawAnswers | Answer[];
	deliver?: boolean;
	count?: number;
};

const withRawValue = (answer: Answer): Answer => ({ ...answer, rawValue: answer.rawValue ?? null });

function answersFor({ fields }: FormWithFields, given: NewResponses['answers'], n: number) {
	if (given === undefined) return sampleAnswers(fields, n);
	return Array.isArray(given) ? given.map(withRawValue) : answersByLabel(fields, given);
}

/** Given times lie one millisecond apart, so that several responses have an order. */
const timeOf = (completedAt: string | undefined, n: number): string | undefined =>
	completedAt && new Date(Date.parse(completedAt) + n).toISOString();

function makeResponses(service: Service, form: FormWithFields, request: NewResponses): Envelope[] {
	const { answers, deliver, count = 1, completedAt, ...rest } = request;
	const had = service.store.responses.countOf(form.id);
	const submissions = Array.from({ length: count }, (_, n) => ({
		metadata: { source: 'playground' },
		...rest,
		answers: answersFor(form, answers, had + n),
		completedAt: timeOf(completedAt, n),
	}));
	return storeSubmissions(service, form, submissions);
}

function responseIn(service: Service, request: Request): Envelope {
	const envelope = service.store.responses.get(idIn(request, 'responseId'));
	if (!envelope) throw apiError(404, 'There is no such response.');
	return envelope;
}

async function deliverTimes(
	service: Service,
	envelope: Envelope,
	{ times = 1, concurrent = false }: { times?: number; concurrent?: boolean },
): Promise<Delivery[]> {
	const deliver = async () => await service.deliveries.deliver(envelope);
	if (concurrent) return (await Promise.all(Array.from({ length: times }, deliver))).flat();
	const records: Delivery[] = [];
	for (let round = 0; round < times; round += 1) records.push(...(await deliver()));
	return records;
}

export const responseOperations: Operations = {
	makeResponses(service, request, response) {
		const form = service.store.forms.get(idIn(request, 'formId'));
		if (!form) throw apiError(404, 'There is no such form.');
		const body = bodyOf<NewResponses>(request);
		const responses = makeResponses(service, form, body);
		response.json({ responses });
		if (body.deliver === false) return;
		for (const envelope of responses) void service.deliveries.deliver(envelope);
	},
	completeAgain(service, request, response) {
		const envelope = completeAgain(service, responseIn(service, request));
		response.json({ response: envelope });
		if (bodyOf<{ deliver?: boolean }>(request).deliver === false) return;
		void service.deliveries.deliver(envelope);
	},
	async deliverAgain(service, request, response) {
		const envelope = responseIn(service, request);
		response.json({ deliveries: await deliverTimes(service, envelope, bodyOf(request)) });
	},
};
