import type { Service } from '../service.mts';
import { fromCursor } from '../store/cursor.mts';
import { html } from './html.mts';
import { page } from './layout.mts';
import { table, time } from './table.mts';

const pageSize = 50;

export function formsPage(service: Service, cursor: string | undefined): string {
	const after = cursor === undefined ? undefined : (fromCursor(cursor) ?? undefined);
	const { data, nextCursor } = service.store.forms.page(pageSize, after);
	const rows = data.map(({ id, title, status, updatedAt }) => [
		html`<a href="/forms/${id}">${title}</a>`,
		status,
		html`<a href="/forms/${id}/responses">${service.store.responses.countOf(id)}</a>`,
		time(updatedAt),
	]);
	const forms = table(['Form', 'Status', 'Responses', 'Updated'], rows, 'There is no form yet.');
	const older = nextCursor && html`<p><a href="/?cursor=${nextCursor}">Older forms</a></p>`;
	return page('Forms', html`${forms} ${older}`);
}
