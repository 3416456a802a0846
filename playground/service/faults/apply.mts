import { setTimeout as sleep } from 'node:timers/promises';
import type { NextFunction, Request, Response } from 'express';
import { apiError, documentedErrors, errorBody } from '../api/errors.mts';
import { retryAfter } from '../retry-after.mts';
import type { RequestRecord } from '../request-log.mts';
import type { Service } from '../service.mts';
import { cutOff } from './cut-off.mts';
import type { FaultAction, FaultKind } from './fault.mts';

type Context<Kind extends FaultKind> = {
	service: Service;
	fault: Extract<FaultAction, { kind: Kind }>;
	request: Request;
	response: Response;
	next: NextFunction;
};

type Effects = { [Kind in FaultKind]: (context: Context<Kind>) => void | Promise<void> };

const effects: Effects = {
	status({ service, fault, response }) {
		const { status, headers = {}, body, code } = fault;
		const documented = documentedErrors[status];
		if (status === 429) response.set('Retry-After', retryAfter(service.settings));
		for (const [name, value] of Object.entries(headers)) {
			if (value === null) response.removeHeader(name);
			else response.set(name, value);
		}
		const error = apiError(
			status,
			`Fault on demand: status ${status}`,
			documented?.hint ?? 'Try again later.',
			code,
		);
		response.status(status);
		if (typeof body === 'string') response.end(body);
		else response.json(body === undefined ? errorBody(service, error) : body);
	},
	async delay({ service, fault, next }) {
		await sleep(fault.ms, undefined, { signal: service.closing, ref: false }).catch(() => {});
		next();
	},
	reset({ request }) {
		request.socket.resetAndDestroy();
	},
	lostReply({ request, response, next }) {
		response.end = () => {
			const record = response.locals.record as RequestRecord | undefined;
			if (record) record.status = response.statusCode;
			request.socket.destroy();
			return response;
		};
		next();
	},
	cutOff({ fault, request, response, next }) {
		response.end = (body?: unknown) => {
			const status = fault.status ?? response.statusCode;
			const record = response.locals.record as RequestRecord | undefined;
			if (record) record.status = status;
			request.socket.end(cutOff(fault.how, status, Buffer.from(String(body ?? ''))));
			return response;
		};
		next();
	},
	malformed({ fault, response }) {
		const { body, contentType = 'application/json', status = 200 } = fault;
		response.status(status).set('Content-Type', contentType).end(body);
	},
	expiredToken({ service, response }) {
		const error = apiError(401, 'The access token has expired.', 'Refresh the access token.');
		response.status(401).json(errorBody(service, error));
	},
	redirect({ fault, response }) {
		response
			.status(fault.status ?? 302)
			.set('Location', fault.location)
			.end();
	},
	hang() {},
};

export const applyFaults =
	(service: Service) =>
	async (request: Request, response: Response, next: NextFunction): Promise<void> => {
		const fault = service.faults.next(request.method, request.path);
		if (!fault) return next();
		const record = response.locals.record as RequestRecord | undefined;
		if (record) record.fault = fault.kind;
		const effect = effects[fault.kind] as (context: Context<FaultKind>) => void | Promise<void>;
		await effect({ service, fault, request, response, next });
	};
