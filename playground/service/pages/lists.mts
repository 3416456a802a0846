import type { Service } from '../service.mts';
import { fromCursor } from '../store/cursor.mts';
import type { Envelope, Form } from '../types.mts';
import { html, type Html } from './html.mts';
import { page } from './layout.mts';
import { table, time } from './table.mts';

const formsShown = 50;
const responsesShown = 25;

export function formsPage({ store }: Service, cursor: unknown): string {
	const from = fromCursor(String(cursor)) ?? undefined;
	const { data, nextCursor } = store.forms.page(formsShown, from);
	const rows = data.map(({ id, title, status, updatedAt }) => [
		html`<a href="/forms/${id}">${title}</a>`,
		status,
		html`<a href="/forms/${id}/responses">${store.responses.countOf(id)}</a>`,
		time(updatedAt),
	]);
	const forms = table(['Form', 'Status', 'Responses', 'Updated'], rows, 'There are no forms yet.');
	const older = nextCursor && html`<p><a href="/?cursor=${nextCursor}">Older forms</a></p>`;
	return page('Forms', html`${forms} ${older}`);
}

const answerList = ({ data }: Envelope): Html =>
	html`<dl>
		${data.answers.map(
			({ label, value }) =>
				html`<dt>${label}</dt>
					<dd>${value}</dd> `,
		)}
	</dl>`;

export function responsesPage({ store }: Service, form: Form): string {
	const rows = store.responses
		.latest(form.id, responsesShown)
		.map((envelope) => [
			html`<span id="${envelope.data.responseId}">${time(envelope.data.completedAt)}</span>`,
			envelope.data.respondentEmail ?? '',
			answerList(envelope),
		]);
	const responses = table(
		['Completed', 'Respondent', 'Answers'],
		rows,
		'Nobody has filled in this form yet.',
	);
	const total = `${store.responses.countOf(form.id)} in all. This page shows the newest ${responsesShown}.`;
	const link = html`<a href="/forms/${form.id}">Fill in the form</a>`;
	const content = html`<p>${total} ${link}</p>
		${responses}`;
	return page(`Responses to ${form.title}`, content);
}
