import type { Service } from '../service.mts';
import type { Delivery } from '../types.mts';
import { html } from './html.mts';
import { page } from './layout.mts';
import { formLink, target } from './links.mts';
import { table, time } from './table.mts';

const deliveriesShown = 50;

const resultOf = ({ status, error }: Delivery): string =>
	status === null ? `No answer: ${error}` : `Status ${status}`;

export function deliveriesPage(service: Service): string {
	const rows = service.store.deliveries.latest(deliveriesShown).map(({ delivery, attempt }) => [
		time(delivery.startedAt),
		html`${formLink(service, delivery.formId, delivery.responseId)}<br />
			<small><code>${delivery.responseId}</code></small>`,
		target(delivery.targetUrl),
		html`${resultOf(delivery)}<br />
			<small>attempt ${attempt}, ${delivery.durationMs} ms</small>`,
	]);
	const deliveries = table(
		['Time', 'Response', 'Sent to', 'Result'],
		rows,
		'Nothing has been sent yet. A response is sent if its form has a hook.',
	);
	const content = html`<p>
			Each attempt to send a response to a hook. This page shows the newest ${deliveriesShown}.
			<a href="/playground/hooks">See the hooks.</a>
		</p>
		${deliveries}`;
	return page('Deliveries', content);
}
