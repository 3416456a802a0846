import type { Service } from '../service.mts';
import { fromCursor } from '../store/cursor.mts';
import type { Delivery, Envelope, Form } from '../types.mts';
import { html, type Html } from './html.mts';
import { page } from './layout.mts';
import { table, time } from './table.mts';

const formsShown = 50;
const responsesShown = 25;
const deliveriesShown = 100;

/** The query of a target URL contains the subscriber's secret, and the URL may contain credentials. */
function maskedUrl(targetUrl: string): string {
	const url = URL.parse(targetUrl);
	if (!url) return 'not a URL';
	return `${url.protocol}//${url.host}${url.pathname}${url.search ? '?…' : ''}`;
}

export function formsPage({ store }: Service, cursor: string): string {
	const { data, nextCursor } = store.forms.page(formsShown, fromCursor(cursor) ?? undefined);
	const rows = data.map(({ id, title, status, updatedAt }) => [
		html`<a href="/forms/${id}">${title}</a>`,
		status,
		html`<a href="/forms/${id}/responses">${store.responses.countOf(id)}</a>`,
		time(updatedAt),
	]);
	const forms = table(['Form', 'Status', 'Responses', 'Updated'], rows, 'There is no form yet.');
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
			time(envelope.data.completedAt),
			envelope.data.respondentEmail ?? '',
			answerList(envelope),
		]);
	const responses = table(
		['Completed', 'Respondent', 'Answers'],
		rows,
		'Nobody has filled in this form yet.',
	);
	const total = `${store.responses.countOf(form.id)} in all, at most the newest ${responsesShown} below.`;
	const link = html`<a href="/forms/${form.id}">Fill in the form</a>`;
	const content = html`<p class="soft">${total} ${link}</p>
		${responses}`;
	return page(`Responses to ${form.title}`, content);
}

export function hooksPage({ store }: Service): string {
	const rows = store.hooks
		.all()
		.map(({ id, formId, targetUrl, createdAt }) => [
			html`<code>${id}</code>`,
			html`<a href="/forms/${formId}">${store.forms.get(formId)?.title ?? formId}</a>`,
			maskedUrl(targetUrl),
			time(createdAt),
		]);
	const headings = ['Hook', 'Form', 'Target URL', 'Created'];
	return page('Hooks', table(headings, rows, 'No URL is subscribed to completed responses.'));
}

function outcome({ status, error }: Delivery): Html {
	const isAccepted = status !== null && status < 300;
	return isAccepted ? html`${status}` : html`<span class="failed">${status ?? error}</span>`;
}

export function deliveriesPage({ store }: Service): string {
	const rows = store.deliveries
		.latest(deliveriesShown)
		.map((delivery) => [
			time(delivery.startedAt),
			html`<code>${delivery.hookId}</code>`,
			html`<code>${delivery.responseId}</code>`,
			maskedUrl(delivery.targetUrl),
			outcome(delivery),
			`${delivery.durationMs} ms`,
		]);
	const headings = ['Time', 'Hook', 'Response', 'Target URL', 'Answer', 'Duration'];
	return page('Deliveries', table(headings, rows, 'Nothing has been delivered yet.'));
}
