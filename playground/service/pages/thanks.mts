import type { Form } from '../types.mts';
import { html } from './html.mts';
import { page } from './layout.mts';

export const thanksPage = ({ id, title }: Form, query: string): string =>
	page(
		'Thank you',
		html`<p>Your answers to <strong>${title}</strong> have been sent.</p>
			<p><a href="/forms/${id}${query}">Fill in the form again</a></p>
			<hr />
			<p>
				<small>
					For the developer: <a href="/forms/${id}/responses">Responses to ${title}</a>,
					<a href="/playground/deliveries">deliveries</a>
				</small>
			</p>`,
	);
