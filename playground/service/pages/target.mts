import { html, type Html } from './html.mts';

/** Where a hook sends to, without what may be secret: user, password and values of the query. */
export function target(targetUrl: string): Html {
	const { origin, pathname, search } = new URL(targetUrl);
	const names = [...new URLSearchParams(search).keys()];
	const query = names.map((name) => `${name}=…`).join('&');
	return html`<small><code>${origin}${pathname}${query && `?${query}`}</code></small>`;
}
