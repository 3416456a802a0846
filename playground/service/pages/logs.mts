import { Router } from 'express';
import type { Service } from '../service.mts';
import { deliveriesPage } from './deliveries.mts';
import { hooksPage } from './hooks.mts';

const pages = { '/hooks': hooksPage, '/deliveries': deliveriesPage };

/** Browsers get pages where programs get JSON. */
export function logPages(service: Service): Router {
	const router = Router();
	for (const [path, pageOf] of Object.entries(pages)) {
		router.get(path, (request, response, next) => {
			response.vary('Accept');
			if (request.accepts(['json', 'html']) === 'html') response.send(pageOf(service));
			else next();
		});
	}
	return router;
}
