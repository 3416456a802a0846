import { listForms, MAX_FORMS_PER_PAGE } from './endpoints';
import { paginate } from './paginate';
import type { Api, Form, Page } from './types';

/**
 * The workspace's Forms page by page, most recently updated first.
 *
 * @param limit how many to ask for next
 * @param start the cursor of the first page to read
 */
export const formPages = (
	api: Api,
	limit: () => number = () => MAX_FORMS_PER_PAGE,
	start?: string,
): AsyncGenerator<Page<Form>> =>
	paginate(
		async (cursor = start) =>
			await listForms(api, { limit: limit(), ...(cursor !== undefined && { cursor }) }),
	);
