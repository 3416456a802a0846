import { withoutBody, found } from './operation.mts';

export const logs = [
	withoutBody('get', '/hooks', ({ service }) => ({ hooks: service.store.hooks.all() })),
	/** Simulates a hook that the service lost. */
	withoutBody('delete', '/hooks/:id', ({ service, id }) => {
		found(service.store.hooks.remove(id), 'hook');
	}),
	withoutBody('get', '/deliveries', ({ service }) => ({
		deliveries: service.store.deliveries.all(),
	})),
	withoutBody('get', '/requests', ({ service }) => ({ requests: service.requests.all() })),
	withoutBody('delete', '/requests', ({ service }) => service.requests.clear()),
];
