import { createForms, newFormsSchema, type NewForms } from './form-creation.mts';
import { sampleAnswers } from './sample-answers.mts';
import type { Service } from './service.mts';
import { storeSubmissions } from './submission.mts';

export const seededForms: NewForms[] = [
	{
		title: 'Event registration',
		fields: [
			{ label: 'Full name', type: 'text', required: true },
			{ label: 'Email', type: 'email', required: true },
			{ label: 'Ticket', type: 'choice', required: true, choices: ['Day', 'Weekend', 'Online'] },
			{ label: 'Guests', type: 'number' },
			{ label: 'Workshops', type: 'multi-choice', choices: ['Morning', 'Noon', 'Evening'] },
		],
	},
	{
		title: 'Feedback',
		fields: [
			{ label: 'Rating', type: 'choice', required: true, choices: ['Good', 'Fair', 'Poor'] },
			{ label: 'What did you use?', type: 'multi-choice', choices: ['Website', 'App', 'Support'] },
			{ label: 'Comment', type: 'text' },
		],
	},
	{ title: 'Contact' },
];

const responsesEach = 4;

export function seed(service: Service): void {
	for (const request of seededForms) {
		for (const { id } of createForms(service, newFormsSchema.parse(request))) {
			const form = service.store.forms.get(id);
			if (!form) continue;
			const submissions = Array.from({ length: responsesEach }, (_, n) => ({
				answers: sampleAnswers(form.fields, n),
				metadata: { source: 'seed' },
			}));
			storeSubmissions(service, form, submissions);
		}
	}
}
