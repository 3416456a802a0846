import type { INodeProperties } from 'n8n-workflow';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { getNew } from './getNew.operation';

export const operations = { get, getAll, getNew };

export const description: INodeProperties[] = [
	{
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: ['response'] } },
		options: [
			{
				name: 'Get',
				value: 'get',
				action: 'Get a response',
				description: 'Get one completed response by its ID',
			},
			{
				name: 'Get Many',
				value: 'getAll',
				action: 'Get many responses',
				description: 'List the newest completed responses of a form, up to 25',
			},
			{
				name: 'Get New',
				value: 'getNew',
				action: 'Get new responses',
				description:
					'List the completed responses of a form that no earlier run of this node returned, to catch up on a schedule',
			},
		],
		default: 'getAll',
	},
	...get.description,
	...getAll.description,
	...getNew.description,
];
