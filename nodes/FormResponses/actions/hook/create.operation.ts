import type { IDataObject } from 'n8n-workflow';
import { formIdField } from '../../fields';
import { parameterError, readFormId } from '../../parameters';
import { createHook } from '../../transport/endpoints';
import type { Operation } from '../operation';

const isHttpUrl = (value: unknown): value is string =>
	typeof value === 'string' && /^\s*https?:/i.test(value) && URL.canParse(value.trim());

export const create: Operation = {
	displayName: 'Create',
	action: 'Create a hook',
	description:
		'Send each new response of a form to a URL. The Form Responses Trigger needs no such hook.',
	fields: [
		{ ...formIdField, description: 'The form to send responses from' },
		{
			displayName: 'Target URL',
			name: 'targetUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://example.com/new-response',
			description: 'The http or https address to send each new response to',
		},
		{
			displayName:
				"Keep the hook's ID: you need it to delete the hook, and the API cannot list hooks.",
			name: 'hookIdNotice',
			type: 'notice',
			default: '',
		},
	],

	async execute(context, api, itemIndex) {
		const formId = readFormId(context, itemIndex);
		const targetUrl = context.getNodeParameter('targetUrl', itemIndex) as unknown;
		if (!isHttpUrl(targetUrl)) {
			const rule = 'Enter a whole address that begins with http:// or https://.';
			throw parameterError(context, 'Target URL', targetUrl, rule, itemIndex);
		}
		return [(await createHook(api, formId, targetUrl.trim())) as unknown as IDataObject];
	},
};
