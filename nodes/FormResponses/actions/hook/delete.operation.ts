import { idField } from '../../fields';
import { readId } from '../../parameters';
import { deleteHook } from '../../transport/endpoints';
import type { Operation } from '../operation';

export const remove: Operation = {
	displayName: 'Delete',
	action: 'Delete a hook',
	description: 'Delete a hook permanently. An unknown ID counts as deleted.',
	fields: [
		idField('Hook ID', 'hookId', 'The ID that the service gave the hook when it was created'),
	],

	async execute(context, api, itemIndex) {
		const id = readId(context, 'hookId', 'Hook ID', itemIndex);
		await deleteHook(api, id);
		return [{ deleted: true, id }];
	},
};
