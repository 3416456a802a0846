import { html, type Html } from './html.mts';

type Cell = Html | string | number;

export const table = (headings: string[], rows: Cell[][], whenEmpty: string): Html =>
	rows.length === 0
		? html`<p>${whenEmpty}</p>`
		: html`<div class="overflow-auto">
				<table>
					<thead>
						<tr>
							${headings.map((heading) => html`<th scope="col">${heading}</th>`)}
						</tr>
					</thead>
					<tbody>
						${rows.map(
							(cells) =>
								html`<tr>
									${cells.map((cell) => html`<td>${cell}</td>`)}
								</tr> `,
						)}
					</tbody>
				</table>
			</div>`;

export const time = (iso: string): Html =>
	html`<time datetime="${iso}">${iso.replace('T', ' ').replace('Z', ' UTC')}</time>`;
