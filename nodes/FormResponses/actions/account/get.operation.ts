import type { IDataObject } from 'n8n-workflow';
import { getMe } from '../../transport/endpoints';
import type { Operation } from '../operation';

export const get: Operation = {
	description: [],
	async execute(_context, api) {
		return [(await getMe(api)) as unknown as IDataObject];
	},
};
