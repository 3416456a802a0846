import type { Request, Response } from 'express';
import { apiError } from '../api/errors.mts';
import type { Service } from '../service.mts';

type Operation = (service: Service, request: Request, response: Response) => void | Promise<void>;

export type Operations = Record<string, Operation>;

export const idIn = (request: Request, name: string): string =>
	String(request.params[name]).toLowerCase();

export const bodyOf = <Body,>(request: Request): Body => (request.body ?? {}) as Body;

export function removed(response: Response, wasThere: boolean, what: string): void {
	if (!wasThere) throw apiError(404, `There is no such ${what}.`);
	response.status(204).end();
}
