import type { IDataObject, INode } from 'n8n-workflow';
import { formIdField } from '../../fields';
import { readFormId } from '../../parameters';
import { FORM_LIST, listForms, MAX_FORMS_PER_PAGE } from '../../transport/endpoints';
import { apiError } from '../../transport/errors';
import { paginate } from '../../transport/paginate';
import type { Api, Form, Page } from '../../transport/types';
import type { Operation } from '../operation';

/** The error that the API gives for an unknown form in a path. */
const notFound = (node: INode, { authentication, baseUrl }: Api, formId: string): Error =>
	apiError(node, {
		request: { ...FORM_LIST, purpose: `read form ${formId}` },
		outcome: { kind: 'answer', status: 404, headers: {}, body: { code: 'not_found' } },
		authentication,
		baseUrl,
		attempts: 1,
		secrets: [],
	});

/** What each run has read: one reading serves all its items. */
const pagesOf = new WeakMap<Api, Map<string, Promise<Page<Form>>>>();

async function readOnce(api: Api, name: string, cursor?: string): Promise<Page<Form>> {
	const pages = pagesOf.get(api) ?? new Map<string, Promise<Page<Form>>>();
	pagesOf.set(api, pages);
	const page = pages.get(name) ?? listForms(api, { limit: MAX_FORMS_PER_PAGE, cursor });
	pages.set(name, page);
	return await page.catch((error: Error) => {
		pages.delete(name);
		throw error;
	});
}

/** All pages, then the first again: Forms updated meanwhile move there (playground/service/openapi.yaml, listForms). */
async function* pagesAndFirst(api: Api): AsyncGenerator<Page<Form>> {
	yield* paginate(async (cursor) => await readOnce(api, cursor ?? 'first', cursor));
	yield await readOnce(api, 'first again');
}

export const get: Operation = {
	displayName: 'Get',
	action: 'Get a form',
	description: 'Get one form, found in the list of forms (not with an API key)',
	fields: [{ ...formIdField, description: 'The form to get' }],

	async execute(context, api, itemIndex) {
		const formId = readFormId(context, itemIndex);
		for await (const { data } of pagesAndFirst(api)) {
			const found = data.find(({ id }) => id.toLowerCase() === formId);
			if (found) return [found as unknown as IDataObject];
		}
		throw notFound(context.getNode(), api, formId);
	},
};
