import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import type { Service } from '../service.mts';
import { fromCursor, type Position } from '../store/cursor.mts';
import { workspace } from '../workspace.mts';
import { apiError } from './errors.mts';
import { callerOf } from './validation.mts';

type Operation = (service: Service, request: Request, response: Response) => void;

const idIn = (request: Request, name: string): string => String(request.params[name]).toLowerCase();

/** The validator has parsed the number and set the default; Ajv accepts "Infinity" as an integer. */
function limitIn(request: Request): number {
	const limit = request.query.limit as unknown as number;
	if (Number.isFinite(limit)) return limit;
	throw apiError(400, 'The query parameter limit is not a finite number.');
}

function positionIn(request: Request): Position | undefined {
	const { cursor } = request.query;
	if (cursor === undefined) return undefined;
	const position = fromCursor(String(cursor));
	if (position) return position;
	throw apiError(
		400,
		'The query parameter cursor is not a cursor of this list.',
		'Send the nextCursor of the previous page unchanged.',
	);
}

function requireForm(service: Service, formId: string): void {
	if (service.store.forms.has(formId)) return;
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

function requireAllowance(service: Service): void {
	if (service.store.hooks.all().length < service.settings.maxHooks) return;
	throw apiError(
		400,
		`Too many subscriptions: ${service.settings.maxHooks} are allowed.`,
		'Remove a hook that is no longer needed.',
	);
}

export const operations: Record<string, Operation> = {
	getMe(_service, _request, response) {
		const { user, scopes } = callerOf(response);
		response.json({ workspace, user, scope: scopes.join(' ') });
	},
	listForms(service, request, response) {
		response.json(service.store.forms.page(limitIn(request), positionIn(request)));
	},
	listResponses(service, request, response) {
		const formId = idIn(request, 'formId');
		const limit = limitIn(request);
		requireForm(service, formId);
		response.json({ data: service.store.responses.latest(formId, limit) });
	},
	getResponse(service, request, response) {
		const found = service.store.responses.get(idIn(request, 'responseId'));
		if (!found) {
			throw apiError(
				404,
				'There is no such completed Response in this Workspace.',
				'Check the response id.',
			);
		}
		response.json(found);
	},
	createHook(service, request, response) {
		const { targetUrl } = request.body as { targetUrl: string };
		const formId = String(request.body.formId).toLowerCase();
		requireWebAddress(targetUrl);
		requireForm(service, formId);
		requireAllowance(service);
		const createdAt = new Date(service.clock()).toISOString();
		const hook = { id: randomUUID(), formId, targetUrl, createdAt };
		service.store.hooks.add(hook);
		response.status(201).json(hook);
	},
	deleteHook(service, request, response) {
		service.store.hooks.remove(idIn(request, 'hookId'));
		response.status(204).end();
	},
};
