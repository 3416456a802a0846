import { html } from './html.mts';
import { page } from './layout.mts';

export const notFoundPage = (): string =>
	page('Not found', html`<p>There is no such page. <a href="/">See the forms.</a></p>`);
