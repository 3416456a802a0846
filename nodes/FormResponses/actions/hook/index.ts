import type { INodeProperties } from 'n8n-workflow';
import { create } from './create.operation';
import { remove } from './delete.operation';

export const operations = { create, delete: remove };

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['hook'] } },
		options: [
			{
				name: 'Create',
				value: 'create',
				action: 'Create a hook',
				description:
					'Subscribe a URL to the new completed responses of a form (not with an API key). The Form Responses Trigger does this by itself.',
			},
			{
				name: 'Delete',
				value: 'delete',
				action: 'Delete a hook',
				description: 'Remove a subscription. A hook that is already gone counts as deleted.',
			},
		],
		default: 'create',
	},
	...create.description,
	...remove.description,
];
