import type { IDataObject } from 'n8n-workflow';
import { getMe } from '../../transport/endpoints';
import type { Operation } from '../operation';

export const get: Operation = {
	displayName: 'Get',
	action: 'Get the account',
	description: 'Get the workspace, the user and the scope that the credential acts as',
	fields: [],

	async execute(_context, api) {
		return [(await getMe(api)) as unknown as IDataObject];
	},
};
