import { randomUUID } from 'node:crypto';
import { pathBelowApi } from '../request-log.mts';
import type { Fault, FaultRequest } from './fault.mts';

type Armed = {
	fault: Fault;
	path: RegExp | null;
	method: string | null;
	toSkip: number;
	left: number;
};

const matches = (armed: Armed, method: string, path: string): boolean =>
	(armed.method === null || armed.method === method) &&
	(armed.path === null || armed.path.test(pathBelowApi(path)) || armed.path.test(path));

export function createFaultList() {
	let list: Armed[] = [];

	/** A fault that still skips lets the request pass on to the next matching one. */
	function fires(armed: Armed, method: string, path: string): boolean {
		if (armed.left === 0 || !matches(armed, method, path)) return false;
		if (armed.toSkip > 0) {
			armed.toSkip -= 1;
			return false;
		}
		armed.left -= 1;
		return true;
	}

	return {
		add(request: FaultRequest): Fault {
			const fault: Fault = { ...request, id: randomUUID() };
			const { match = {}, skip = 0, times = 1 } = request;
			list.push({
				fault,
				path: match.path === undefined ? null : new RegExp(match.path),
				method: match.method?.toUpperCase() ?? null,
				toSkip: skip,
				left: times ?? Number.POSITIVE_INFINITY,
			});
			return fault;
		},
		next: (method: string, path: string): Fault | null =>
			list.find((armed) => fires(armed, method, path))?.fault ?? null,
		all: () =>
			list.map(({ fault, left }) => ({ ...fault, left: Number.isFinite(left) ? left : null })),
		remove(id: string): boolean {
			const had = list.length;
			list = list.filter(({ fault }) => fault.id !== id);
			return list.length < had;
		},
		clear(): void {
			list = [];
		},
	};
}

export type FaultList = ReturnType<typeof createFaultList>;
