import { simplifyField } from '../../fields';
import { toJson } from '../../output';
import { readId, readOutputOptions } from '../../parameters';
import { getResponse } from '../../transport/endpoints';
import type { Operation } from '../operation';

export const get: Operation = {
	displayName: 'Get',
	action: 'Get a response',
	description: 'Get one completed response by its ID',
	fields: [
		{
			displayName: 'Response ID',
			name: 'responseId',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 3f1c9a52-7d0e-4b8a-9c26-5e41d7f0a8b3',
			description: 'The ID of a completed response',
		},
		simplifyField,
	],

	async execute(context, api, itemIndex) {
		const responseId = readId(context, 'responseId', 'Response ID', itemIndex);
		const outputOptions = readOutputOptions(context, itemIndex);
		return [toJson(await getResponse(api, responseId), outputOptions)];
	},
};
