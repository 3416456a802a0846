import type { Resource } from '../operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';
import { getNew } from './getNew.operation';

export const response: Resource = {
	displayName: 'Response',
	operations: { get, getAll, getNew },
	defaultOperation: 'getAll',
};
