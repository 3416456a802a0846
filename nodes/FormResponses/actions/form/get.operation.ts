import type { IDataObject, INode } from 'n8n-workflow';
import { formIdField } from '../../fields';
import { readFormId } from '../../parameters';
import { FORM_LIST, listForms, MAX_FORMS_PER_PAGE } from '../../transport/endpoints';
import { apiError } from '../../transport/errors';
import { formPages } from '../../transport/formPages';
import type { Api, Form } from '../../transport/types';
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

export const get: Operation = {
	displayName: 'Get',
	action: 'Get a form',
	description: 'Get one form, found in the list of forms (not with an API key)',
	fields: [formIdField],

	async execute(context, api, itemIndex) {
		const formId = readFormId(context, itemIndex);
		const isWanted = ({ id }: Form) => id.toLowerCase() === formId;
		for await (const { data } of formPages(api)) {
			const found = data.find(isWanted);
			if (found) return [found as unknown as IDataObject];
		}
		// One that was updated meanwhile has come to the first page (playground/service/openapi.json, listForms).
		const { data } = await listForms(api, { limit: MAX_FORMS_PER_PAGE });
		const found = data.find(isWanted);
		if (found) return [found as unknown as IDataObject];
		throw notFound(context.getNode(), api, formId);
	},
};
