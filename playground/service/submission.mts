import { randomUUID } from 'node:crypto';
import type { Service } from './service.mts';
import type { Answer, Envelope, Form } from './types.mts';

export type Submission = {
	answers: Answer[];
	respondentEmail?: string | null;
	hiddenFields?: Record<string, string>;
	metadata?: Record<string, unknown>;
	completedAt?: string;
};

const firstEmail = (answers: Answer[]): string | null =>
	answers.find(({ type, value }) => type === 'email' && value !== '')?.value ?? null;

function toEnvelope(form: Form, submission: Submission, completedAt: string): Envelope {
	const { answers, respondentEmail, hiddenFields = {}, metadata = {} } = submission;
	return {
		event: 'response.completed',
		createdAt: completedAt,
		data: {
			formId: form.id,
			formTitle: form.title,
			responseId: randomUUID(),
			respondentEmail: respondentEmail === undefined ? firstEmail(answers) : respondentEmail,
			completedAt,
			answers,
			fields: Object.fromEntries(answers.map(({ label, value }) => [label, value])),
			hiddenFields,
			metadata,
		},
	};
}

/** Stores completed responses; the caller delivers them. */
export const storeSubmissions = (
	service: Service,
	form: Form,
	submissions: Submission[],
): Envelope[] =>
	service.store.inTransaction(() =>
		submissions.map((submission) => {
			const completed = submission.completedAt
				? Date.parse(submission.completedAt)
				: service.clock();
			const envelope = toEnvelope(form, submission, new Date(completed).toISOString());
			service.store.responses.add(envelope);
			return envelope;
		}),
	);

/** Completes a response again now, with the same answers. */
export function completeAgain(service: Service, { data, ...event }: Envelope): Envelope {
	const completedAt = new Date(service.clock()).toISOString();
	const envelope = { ...event, createdAt: completedAt, data: { ...data, completedAt } };
	service.store.responses.replace(envelope);
	return envelope;
}
