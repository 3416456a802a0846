import type { RequestRecord } from '../request-log.mts';
import { idIn, removed, type Operations } from './operation.mts';

const isOfApi = ({ path }: RequestRecord): boolean => !path.startsWith('/oauth/');

export const logOperations: Operations = {
	listHooks(service, _request, response) {
		response.json({ hooks: service.store.hooks.all() });
	},
	dropHook(service, request, response) {
		removed(response, service.store.hooks.remove(idIn(request, 'hookId')), 'hook');
	},
	listDeliveries(service, request, response) {
		const { formId } = request.query;
		const { deliveries } = service.store;
		response.json({
			deliveries:
				formId === undefined ? deliveries.all() : deliveries.ofForm(String(formId).toLowerCase()),
		});
	},
	clearDeliveries(service, _request, response) {
		service.store.deliveries.clear();
		response.status(204).end();
	},
	listRequests(service, request, response) {
		const all = service.requests.all();
		response.json({ requests: request.query.include === 'oauth' ? all : all.filter(isOfApi) });
	},
	clearRequests(service, _request, response) {
		service.requests.clear();
		response.status(204).end();
	},
};
