import type { Service } from '../service.mts';
import { html } from './html.mts';
import { page } from './layout.mts';
import { formLink, target } from './links.mts';
import { table, time } from './table.mts';

export function hooksPage(service: Service): string {
	const rows = service.store.hooks
		.all()
		.toReversed()
		.map(({ id, formId, targetUrl, createdAt }) => [
			formLink(service, formId),
			target(targetUrl),
			time(createdAt),
			html`<small><code>${id}</code></small>`,
		]);
	const hooks = table(
		['Form', 'Sends to', 'Created', 'Hook ID'],
		rows,
		'There are no hooks yet. A published workflow with a Form Responses Trigger creates one.',
	);
	const content = html`<p>
			A hook sends each new response of its form to an address.
			<a href="/playground/deliveries">See what was sent.</a>
		</p>
		${hooks}`;
	return page('Hooks', content);
}
