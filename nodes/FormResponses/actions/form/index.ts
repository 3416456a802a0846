import type { INodeProperties } from 'n8n-workflow';
import { getAll } from './getAll.operation';

export const operations = { getAll };

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['form'] } },
		options: [
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many forms',
				description:
					'List the forms of the workspace, most recently updated first (not with an API key)',
			},
		],
		default: 'getAll',
	},
	...getAll.description,
];
