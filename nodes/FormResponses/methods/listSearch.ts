import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { listForms, MAX_FORMS_PER_PAGE } from '../transport/endpoints';
import { paginate } from '../transport/paginate';
import { connect } from '../transport/request';

/** Enough rows for the list to scroll, which is what makes n8n ask for more. */
const ENOUGH = 20;
const WAIT_MS = 20_000;

/** The form picker: a page of forms, or as many pages as it takes to find some that match. */
export async function searchForms(
	this: ILoadOptionsFunctions,
	filter = '',
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	if (this.getCurrentNodeParameter('authentication') === 'apiKey') {
		const message =
			'An API key cannot list forms: it can only read responses. Choose "By ID" and enter the form\'s ID, or use an OAuth2 credential.';
		throw new NodeOperationError(this.getNode(), message);
	}
	const api = await connect(this, {
		authentication: 'oAuth2',
		totalWaitMs: WAIT_MS,
		timeoutMs: WAIT_MS,
	});
	const part = filter.trim().toLowerCase();
	const results: INodeListSearchResult['results'] = [];
	let next: string | null = null;
	const pages = paginate(async (cursor = paginationToken) => {
		const limit = MAX_FORMS_PER_PAGE;
		const page = await listForms(api, cursor === undefined ? { limit } : { limit, cursor });
		next = page.nextCursor;
		return page;
	});
	for await (const forms of pages) {
		const matches = forms.filter(
			({ id, title }) => title.toLowerCase().includes(part) || id === part,
		);
		results.push(...matches.map(({ id, title }) => ({ name: title, value: id })));
		if (results.length >= ENOUGH) break;
	}
	return { results, paginationToken: next ?? undefined };
}
