import { readId } from '../../parameters';
import { deleteHook } from '../../transport/endpoints';
import { EXAMPLE_ID } from '../../transport/shapes';
import type { Operation } from '../operation';

export const remove: Operation = {
	displayName: 'Delete',
	action: 'Delete a hook',
	description: 'Delete a hook permanently. An unknown ID counts as deleted.',
	fields: [
		{
			displayName: 'Hook ID',
			name: 'hookId',
			type: 'string',
			required: true,
			default: '',
			placeholder: `e.g. ${EXAMPLE_ID}`,
			description: 'The ID that the service gave the hook when it was created',
		},
	],

	async execute(context, api, itemIndex) {
		const id = readId(context, 'hookId', 'Hook ID', itemIndex);
		await deleteHook(api, id);
		return [{ deleted: true, id }];
	},
};
