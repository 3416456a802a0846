import { Router } from 'express';
import type { Service } from '../service.mts';
import type { Delivery } from '../types.mts';
import { html } from './html.mts';
import { page } from './layout.mts';
import { formLink, target } from './links.mts';
import { table, time } from './table.mts';

function hooksPage(service: Service): string {
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

const deliveriesShown = 50;

const resultOf = ({ status, error }: Delivery): string =>
	status === null ? `No answer: ${error}` : `Status ${status}`;

function deliveriesPage(service: Service): string {
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

const pages = { '/hooks': hooksPage, '/deliveries': deliveriesPage };

/** Browsers get pages where programs get JSON. */
export function logPages(service: Service): Router {
	const router = Router();
	for (const [path, pageOf] of Object.entries(pages)) {
		router.get(path, (request, response, next) => {
			response.vary('Accept');
			if (request.accepts(['json', 'html']) === 'html') response.send(pageOf(service));
			else next();
		});
	}
	return router;
}
