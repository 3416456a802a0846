import type { Resource } from '../operation';
import { get } from './get.operation';
import { getAll } from './getAll.operation';

export const form: Resource = {
	displayName: 'Form',
	operations: { get, getAll },
	defaultOperation: 'getAll',
	needsOAuth2: true,
};
