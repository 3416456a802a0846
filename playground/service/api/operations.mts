import { randomUUID } from 'node:crypto';
import { Router, type Request } from 'express';
import type { Service } from '../service.mts';
import { fromCursor, type Position } from '../store/cursor.mts';
import { workspace } from '../workspace.mts';
import { callerOf } from './authenticate.mts';
import { apiError } from './errors.mts';

const idIn = (request: Request): string => String(request.params.id).toLowerCase();

/** The validator has parsed it, or set the default; it takes "Infinity" for an integer. */
function limitIn({ query }: Request): number {
	const limit = Number(query.limit);
	if (Number.isFinite(limit)) return limit;
	throw apiError(400, 'The query parameter limit is not a finite number.');
}

function positionIn({ query: { cursor } }: Request): Position | undefined {
	if (cursor === undefined) return undefined;
	const position = fromCursor(String(cursor));
	if (position) return position;
	throw apiError(
		400,
		'The query parameter cursor is not a cursor of this list.',
		'Send the nextCursor of the previous page unchanged.',
	);
}

function requireForm({ store }: Service, formId: string): void {
	if (store.forms.has(formId)) return;
	throw apiError(404, 'There is no such Form in this Workspace.', 'Check the form id.');
}

/** The API does not define valid target URLs: this service accepts http and https. */
function requireWebAddress(targetUrl: string): void {
	const url = URL.parse(targetUrl);
	if (url && /^https?:$/.test(url.protocol) && url.hostname !== '') return;
	throw apiError(
		400,
		'The targetUrl is not a valid target URL.',
		'Send an absolute URL that begins with http:// or https://.',
	);
}

function requireAllowance({ store, settings: { maxHooks } }: Service): void {
	if (store.hooks.all().length < maxHooks) return;
	const hint = 'Remove a hook that is no longer needed.';
	throw apiError(400, `Too many subscriptions: ${maxHooks} are allowed.`, hint);
}

/** What the API does with a request that openapi.yaml allows. */
export function operations(service: Service): Router {
	const { store, clock } = service;
	const router = Router();
	router.get('/me', (_request, response) => {
		const { user, scopes } = callerOf(response);
		response.json({ workspace, user, scope: scopes.join(' ') });
	});
	router.get('/forms', (request, response) => {
		response.json(store.forms.page(limitIn(request), positionIn(request)));
	});
	router.get('/forms/:id/responses', (request, response) => {
		const limit = limitIn(request);
		requireForm(service, idIn(request));
		response.json({ data: store.responses.latest(idIn(request), limit) });
	});
	router.get('/responses/:id', (request, response) => {
		const found = store.responses.get(idIn(request));
		if (found) response.json(found);
		else throw apiError(404, 'There is no such completed Response in this Workspace.');
	});
	router.post('/hooks', (request, response) => {
		const { targetUrl } = request.body as { targetUrl: string };
		const formId = String(request.body.formId).toLowerCase();
		requireWebAddress(targetUrl);
		requireForm(service, formId);
		requireAllowance(service);
		const createdAt = new Date(clock()).toISOString();
		const hook = { id: randomUUID(), formId, targetUrl, createdAt };
		store.hooks.add(hook);
		response.status(201).json(hook);
	});
	router.delete('/hooks/:id', (request, response) => {
		store.hooks.remove(idIn(request));
		response.status(204).end();
	});
	return router;
}
