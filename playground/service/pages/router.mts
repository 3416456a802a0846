import { fileURLToPath } from 'node:url';
import { Router } from 'express';
import { errorHandler } from '../errors.mts';
import type { Service } from '../service.mts';
import { formRoutes } from './form-routes.mts';
import { html } from './html.mts';
import { page } from './layout.mts';
import { formsPage } from './lists.mts';

const stylesheet = fileURLToPath(import.meta.resolve('@picocss/pico/css/pico.min.css'));

const notFoundPage = () =>
	page('Not found', html`<p>There is no such page. <a href="/">See the forms.</a></p>`);

const errorPage = (service: Service) =>
	errorHandler(service, ({ status, message }, response) => {
		const text = status >= 500 ? 'The service failed to show this page.' : message;
		response.status(status).send(page('Something went wrong', html`<p>${text}</p>`));
	});

export function pagesRouter(service: Service): Router {
	const router = Router();
	router.get('/style.css', (_request, response) => response.sendFile(stylesheet));
	router.get('/', ({ query }, response) => void response.send(formsPage(service, query.cursor)));
	router.use('/forms', formRoutes(service));
	router.use((_request, response) => void response.status(404).send(notFoundPage()));
	router.use(errorPage(service));
	return router;
}
