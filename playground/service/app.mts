import express, { type Express } from 'express';
import { apiRouter } from './api/router.mts';
import { controlRouter } from './control/router.mts';
import { description } from './description.mts';
import { applyFaults } from './faults/apply.mts';
import { oauthRouter } from './oauth/router.mts';
import { logPages } from './pages/logs.mts';
import { pagesRouter } from './pages/router.mts';
import type { Service } from './service.mts';

export function createApp(service: Service): Express {
	const app = express();
	app.disable('x-powered-by');
	app.disable('etag');
	app.set('query parser', 'simple');

	app.get('/api/v1/openapi.json', (_request, response) => {
		response.json(description);
	});
	app.use('/playground', logPages(service), controlRouter(service));
	app.use('/api/v1', (request, response, next) => {
		service.requests.record(request, response, next);
	});
	app.use(applyFaults(service));
	app.use('/api/v1', apiRouter(service));
	app.use('/oauth', oauthRouter(service));
	app.use(pagesRouter(service));
	return app;
}
