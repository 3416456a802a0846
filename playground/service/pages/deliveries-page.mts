import type { Service } from '../service.mts';
import type { Delivery } from '../types.mts';
import { html, type Html } from './html.mts';
import { page } from './layout.mts';
import { maskedUrl } from './masked-url.mts';
import { table, time } from './table.mts';

const shown = 100;

function outcome({ status, error }: Delivery): Html {
	const isAccepted = status !== null && status < 300;
	return isAccepted ? html`${status}` : html`<span class="failed">${status ?? error}</span>`;
}

export function deliveriesPage(service: Service): string {
	const rows = service.store.deliveries
		.latest(shown)
		.map((delivery) => [
			time(delivery.startedAt),
			html`<code>${delivery.hookId}</code>`,
			html`<code>${delivery.responseId}</code>`,
			maskedUrl(delivery.targetUrl),
			outcome(delivery),
			`${delivery.durationMs} ms`,
		]);
	const deliveries = table(
		['Time', 'Hook', 'Response', 'Target URL', 'Answer', 'Duration'],
		rows,
		'Nothing has been delivered yet.',
	);
	return page('Deliveries', deliveries);
}
