import type { Resource } from '../operation';
import { create } from './create.operation';
import { remove } from './delete.operation';

export const hook: Resource = {
	displayName: 'Hook',
	operations: { create, delete: remove },
	defaultOperation: 'create',
	needsOAuth2: true,
};
