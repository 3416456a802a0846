import type { Service } from '../service.mts';
import type { Envelope, Form } from '../types.mts';
import { html, type Html } from './html.mts';
import { page } from './layout.mts';
import { table, time } from './table.mts';

const shown = 25;

const answerList = ({ data }: Envelope): Html =>
	html`<dl>
		${data.answers.map(
			({ label, value }) =>
				html`<dt>${label}</dt>
					<dd>${value}</dd> `,
		)}
	</dl>`;

export function responsesPage(service: Service, form: Form): string {
	const envelopes = service.store.responses.latest(form.id, shown);
	const rows = envelopes.map((envelope) => [
		time(envelope.data.completedAt),
		envelope.data.respondentEmail ?? '',
		answerList(envelope),
	]);
	const total = service.store.responses.countOf(form.id);
	const responses = table(
		['Completed', 'Respondent', 'Answers'],
		rows,
		'Nobody has filled in this form yet.',
	);
	return page(
		`Responses to ${form.title}`,
		html`<p class="soft">
				${total} in all, the newest ${shown} at most are shown.
				<a href="/forms/${form.id}">Fill in the form</a>
			</p>
			${responses}`,
	);
}
