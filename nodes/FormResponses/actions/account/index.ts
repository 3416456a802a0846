import type { Resource } from '../operation';
import { get } from './get.operation';

export const account: Resource = {
	displayName: 'Account',
	operations: { get },
	defaultOperation: 'get',
};
