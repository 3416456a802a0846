import { idField, simplifyField } from '../../fields';
import { toJson } from '../../output';
import { readId, readOutputOptions } from '../../parameters';
import { getResponse } from '../../transport/endpoints';
import type { Operation } from '../operation';

export const get: Operation = {
	displayName: 'Get',
	action: 'Get a response',
	description: 'Get one completed response by its ID',
	fields: [idField('Response ID', 'responseId', 'The ID of a completed response'), simplifyField],

	async execute(context, api, itemIndex) {
		const responseId = readId(context, 'responseId', 'Response ID', itemIndex);
		const outputOptions = readOutputOptions(context, itemIndex);
		return [toJson(await getResponse(api, responseId), outputOptions)];
	},
};
