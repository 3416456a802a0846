import type { IDataObject, INode } from 'n8n-workflow';
import { formIdField } from '../../fields';
import { readFormId } from '../../parameters';
import { FORM_LIST, listForms, MAX_FORMS_PER_PAGE } from '../../transport/endpoints';
import { apiError } from '../../transport/errors';
import { formPages } from '../../transport/formPages';
import type { Api, Form, Page } from '../../transport/types';
import type { Operation } from '../operation';

/** As the API answers where a form that is named in a path does not exist. */
const notFound = (node: INode, { authentication, baseUrl }: Api, formId: string): Error =>
	apiError(node, {
		request: { ...FORM_LIST, purpose: `read form ${formId}` },
		outcome: { kind: 'answer', status: 404, headers: {}, body: { code: 'not_found' } },
		authentication,
		baseUrl,
		attempts: 1,
		secrets: [],
	});

/** Every page, then the first again: a Form that was updated meanwhile has come to it (playground/service/openapi.json, listForms). */
async function* pagesAndFirst(api: Api): AsyncGenerator<Page<Form>> {
	yield* formPages(api);
	yield await listForms(api, { limit: MAX_FORMS_PER_PAGE });
}

export const get: Operation = {
	displayName: 'Get',
	action: 'Get a form',
	description: 'Get one form, found in the list of forms (not with an API key)',
	fields: [formIdField],

	async execute(context, api, itemIndex) {
		const formId = readFormId(context, itemIndex);
		for await (const { data } of pagesAndFirst(api)) {
			const found = data.find(({ id }) => id.toLowerCase() === formId);
			if (found) return [found as unknown as IDataObject];
		}
		throw notFound(context.getNode(), api, formId);
	},
};
