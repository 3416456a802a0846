import type { NextFunction, Request, Response } from 'express';
import type { FaultKind } from './faults/fault.mts';

export type RequestRecord = {
	id: number;
	at: string;
	method: string;
	path: string;
	query: Record<string, unknown>;
	status: number | null;
	authenticatedAs: 'apiKey' | 'oauth' | null;
	fault?: FaultKind;
};

const apiPrefix = /^\/api\/v1(?=\/|$)/;
const capacity = 200_000;

export const pathBelowApi = (path: string): string => path.replace(apiPrefix, '') || '/';

export function createRequestLog() {
	let records: RequestRecord[] = [];
	let nextId = 1;

	return {
		/** Records the status before the first byte is sent, so that a caller with the reply finds it. */
		record(request: Request, response: Response, next: NextFunction): void {
			const entry: RequestRecord = {
				id: nextId++,
				at: new Date().toISOString(),
				method: request.method,
				path: pathBelowApi(request.originalUrl.replace(/\?.*$/s, '')),
				query: { ...request.query },
				status: null,
				authenticatedAs: null,
			};
			if (records.length >= capacity) records = records.slice(capacity / 2);
			records.push(entry);
			response.locals.record = entry;
			const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => Response;
			response.writeHead = (...args: unknown[]) => {
				entry.status = typeof args[0] === 'number' ? args[0] : response.statusCode;
				return writeHead(...args);
			};
			next();
		},
		all: (): RequestRecord[] => records,
		clear(): void {
			records = [];
		},
	};
}
