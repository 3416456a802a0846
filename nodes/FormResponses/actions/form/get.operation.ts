import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { formIdField } from '../../fields';
import { readFormId } from '../../parameters';
import type { ErrorDetails } from '../../transport/errors';
import { formPages } from '../../transport/formPages';
import type { Operation } from '../operation';

/** As the API answers where a form that is named in a path does not exist. */
function notFound(context: IExecuteFunctions, formId: string): NodeApiError {
	const message = `Could not find form ${formId}. It was deleted, or belongs to another workspace.`;
	const data: ErrorDetails = { status: 404, code: 'not_found', hint: null, docs: null };
	const error = new NodeApiError(context.getNode(), data, { message, httpCode: '404' });
	error.context.data = data;
	return error;
}

export const get: Operation = {
	displayName: 'Get',
	action: 'Get a form',
	description: 'Get one form, found in the list of forms (not with an API key)',
	fields: [formIdField],

	async execute(context, api, itemIndex) {
		const formId = readFormId(context, itemIndex);
		for await (const { data } of formPages(api)) {
			const found = data.find(({ id }) => id.toLowerCase() === formId);
			if (found) return [found as unknown as IDataObject];
		}
		throw notFound(context, formId);
	},
};
