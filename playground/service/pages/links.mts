import type { Service } from '../service.mts';
import { html, type Html } from './html.mts';

/** Leads to the form's responses; a removed form has none. */
export function formLink({ store }: Service, formId: string, responseId = ''): Html {
	const form = store.forms.get(formId);
	if (!form) return html`Removed form`;
	const href = `/forms/${formId}/responses${responseId && `#${responseId}`}`;
	return html`<a href="${href}">${form.title}</a>`;
}

/** Where a hook sends to, without what may be secret: user, password and values of the query. */
export function target(targetUrl: string): Html {
	const { origin, pathname, search } = new URL(targetUrl);
	const names = [...new URLSearchParams(search).keys()];
	const query = names.map((name) => `${name}=…`).join('&');
	return html`<small><code>${origin}${pathname}${query && `?${query}`}</code></small>`;
}
