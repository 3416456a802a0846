import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { folded } from '../transport/comparableText';
import { formPages } from '../transport/formPages';
import { connect } from '../transport/connect';
import type { Form } from '../transport/types';
import { listEntryName } from './listEntryName';

/** Enough rows to make the list scroll: n8n loads the next page on scrolling. */
const MIN_ROWS = 20;
/** Nobody watches a list for longer. */
export const WAIT_MS = 20_000;

/** The cursor of the next page, and the titles of all forms before it. */
type Progress = [cursor: string | undefined, titles: string[]];

const titleOf = ({ title }: Form): string =>
	['string', 'number'].includes(typeof title) ? String(title).trim() : '';

/** Loads the form picker: one page of forms, or more pages until enough forms match or time is up. */
export async function searchForms(
	this: ILoadOptionsFunctions,
	filter = '',
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	if (this.getCurrentNodeParameter('authentication') === 'apiKey') {
		const message =
			'An API key cannot list forms: it can only read responses. Choose "By ID" or "By URL", or use an OAuth2 credential.';
		throw new NodeOperationError(this.getNode(), message);
	}
	const api = await connect(this, {
		authentication: 'oAuth2',
		withinMs: WAIT_MS,
	});
	// A page that begins later may come too late.
	const endsBy = performance.now() + WAIT_MS / 2;
	const part = folded(filter);
	const [start, earlier]: Progress = paginationToken
		? (JSON.parse(paginationToken) as Progress)
		: [undefined, []];
	const forms: Form[] = [];
	let next: string | null = null;
	for await (const { data, nextCursor } of formPages(api, undefined, start)) {
		forms.push(
			...data.filter((form) => folded(titleOf(form)).includes(part) || folded(form.id) === part),
		);
		next = nextCursor;
		if (forms.length >= MIN_ROWS || performance.now() >= endsBy) break;
	}
	const titles = [...earlier, ...forms.map(titleOf)];
	const results = forms.map((form) => ({
		name: listEntryName(titleOf(form), titles, form.id),
		value: form.id,
	}));
	return { results, paginationToken: next === null ? undefined : JSON.stringify([next, titles]) };
}
