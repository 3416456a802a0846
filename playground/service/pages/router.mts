import { fileURLToPath } from 'node:url';
import { Router, type ErrorRequestHandler } from 'express';
import type { Service } from '../service.mts';
import { formRoutes } from './form-routes.mts';
import { html } from './html.mts';
import { page } from './layout.mts';
import { deliveriesPage, formsPage, hooksPage } from './lists.mts';
import { notFoundPage } from './not-found-page.mts';

const stylesheet = fileURLToPath(new URL('style.css', import.meta.url));

const errorPage =
	(service: Service): ErrorRequestHandler =>
	(error: Error & { status?: number }, request, response, next) => {
		const { status = 500, message } = error;
		if (status >= 500) service.log(`${request.method} ${request.path}: ${message}`);
		if (response.headersSent) return next(error);
		const text = status >= 500 ? 'The service failed to show this page.' : message;
		response.status(status).send(page('Something went wrong', html`<p>${text}</p>`));
	};

export function pagesRouter(service: Service): Router {
	const router = Router();
	router.get('/style.css', (_request, response) => {
		response.sendFile(stylesheet);
	});
	router.get('/', (request, response) => {
		response.send(formsPage(service, String(request.query.cursor)));
	});
	router.use('/forms', formRoutes(service));
	router.get('/hooks', (_request, response) => {
		response.send(hooksPage(service));
	});
	router.get('/deliveries', (_request, response) => {
		response.send(deliveriesPage(service));
	});
	router.use((_request, response) => {
		response.status(404).send(notFoundPage());
	});
	router.use(errorPage(service));
	return router;
}
