import { listForms, MAX_FORMS_PER_PAGE } from './endpoints';
import { paginate } from './paginate';
import type { Api, Form, Page } from './types';

/**
 * All Forms by page, most recently updated first.
 *
 * @param limit the size of the next page
 * @param start the cursor of the first page
 */
export const formPages = (
	api: Api,
	limit: () => number = () => MAX_FORMS_PER_PAGE,
	start?: string,
): AsyncGenerator<Page<Form>> =>
	paginate(async (cursor = start) => await listForms(api, { limit: limit(), cursor }));
