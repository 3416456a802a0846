import { setTimeout as sleep } from 'node:timers/promises';
import type { NextFunction, Request, Response } from 'express';
import { apiError, errorBody } from '../api/errors.mts';
import type { RequestRecord } from '../request-log.mts';
import type { Service } from '../service.mts';
import { cutOff } from './cut-off.mts';
import type { FaultKind, FaultOf } from './fault.mts';

type Context<Kind extends FaultKind> = {
	service: Service;
	fault: FaultOf<Kind>;
	request: Request;
	response: Response;
	next: NextFunction;
};

type Effects = { [Kind in FaultKind]: (context: Context<Kind>) => void | Promise<void> };

const recordOf = (response: Response) => response.locals.record as RequestRecord | undefined;

/** Handles the request, but replaces the sending of the reply. */
function replaceReply(response: Response, send: (body: unknown) => number): void {
	response.end = (body?: unknown) => {
		const status = send(body);
		const record = recordOf(response);
		if (record) record.status = status;
		return response;
	};
}

const effects: Effects = {
	status({ service, fault: { status, headers, body, code }, response }) {
		if (status === 429) response.set('Retry-After', String(service.settings.retryAfterSeconds));
		for (const [name, value] of Object.entries(headers)) {
			if (value === null) response.removeHeader(name);
			else response.set(name, value);
		}
		response.status(status);
		if (typeof body === 'string') {
			response.end(body);
			return;
		}
		const error = apiError(status, `Fault on demand: status ${status}`, undefined, code);
		response.json(body === undefined ? errorBody(service, error) : body);
	},
	async delay({ service, fault, next }) {
		await sleep(fault.ms, undefined, { signal: service.closing, ref: false }).catch(() => {});
		next();
	},
	reset({ request }) {
		request.socket.resetAndDestroy();
	},
	lostReply({ request, response, next }) {
		replaceReply(response, () => {
			request.socket.destroy();
			return response.statusCode;
		});
		next();
	},
	cutOff({ fault, request, response, next }) {
		replaceReply(response, (body) => {
			const status = fault.status ?? response.statusCode;
			request.socket.end(cutOff(fault.how, status, Buffer.from(String(body ?? ''))));
			return status;
		});
		next();
	},
	hang() {},
};

export const applyFaults =
	(service: Service) =>
	async (request: Request, response: Response, next: NextFunction): Promise<void> => {
		const fault = service.faults.next(request.method, request.path);
		if (!fault) return next();
		const record = recordOf(response);
		if (record) record.fault = fault.kind;
		const effect = effects[fault.kind] as (context: Context<FaultKind>) => void | Promise<void>;
		await effect({ service, fault, request, response, next });
	};
