import type { INodeProperties } from 'n8n-workflow';
import { get } from './get.operation';

export const operations = { get };

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['account'] } },
		options: [
			{
				name: 'Get',
				value: 'get',
				action: 'Get the account',
				description: 'Get the workspace, the user and the scope that the credential acts as',
			},
		],
		default: 'get',
	},
];
