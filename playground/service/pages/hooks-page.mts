import type { Service } from '../service.mts';
import { html } from './html.mts';
import { page } from './layout.mts';
import { maskedUrl } from './masked-url.mts';
import { table, time } from './table.mts';

export function hooksPage(service: Service): string {
	const rows = service.store.hooks
		.all()
		.map(({ id, formId, targetUrl, createdAt }) => [
			html`<code>${id}</code>`,
			html`<a href="/forms/${formId}">${service.store.forms.get(formId)?.title ?? formId}</a>`,
			maskedUrl(targetUrl),
			time(createdAt),
		]);
	const hooks = table(
		['Hook', 'Form', 'Target URL', 'Created'],
		rows,
		'No URL is subscribed to completed responses.',
	);
	return page('Hooks', hooks);
}
