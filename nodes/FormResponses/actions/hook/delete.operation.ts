import { readId } from '../../parameters';
import { deleteHook } from '../../transport/endpoints';
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
			placeholder: 'e.g. 3f1c9a52-7d0e-4b8a-9c26-5e41d7f0a8b3',
			description: 'The ID that the service gave the hook when it was created',
		},
	],

	async execute(context, api, itemIndex) {
		const id = readId(context, 'hookId', 'Hook ID', itemIndex);
		await deleteHook(api, id);
		return [{ deleted: true, id }];
	},
};
