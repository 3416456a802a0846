import type { Resource } from '../operation';
import { getAll } from './getAll.operation';

export const form: Resource = {
	displayName: 'Form',
	operations: { getAll },
	defaultOperation: 'getAll',
	needsOAuth2: true,
};
