import { randomUUID } from 'node:crypto';
import { pathBelowApi } from '../request-log.mts';
import type { Fault } from './fault.mts';

type Armed = { id: string; fault: Fault; toSkip: number; left: number };

function matches({ match }: Fault, method: string, path: string): boolean {
	if (match.method !== undefined && match.method !== method) return false;
	const pattern = new RegExp(match.path ?? '');
	return pattern.test(pathBelowApi(path)) || pattern.test(path);
}

export function createFaultList() {
	let list: Armed[] = [];

	/** A fault that skips this request leaves it to the next matching fault. */
	function fires(armed: Armed, method: string, path: string): boolean {
		if (armed.left === 0 || !matches(armed.fault, method, path)) return false;
		if (armed.toSkip > 0) {
			armed.toSkip -= 1;
			return false;
		}
		armed.left -= 1;
		return true;
	}

	return {
		/** @returns the ID of the fault */
		add(fault: Fault): string {
			const id = randomUUID();
			list.push({ id, fault, toSkip: fault.skip, left: fault.times ?? Number.POSITIVE_INFINITY });
			return id;
		},
		next: (method: string, path: string): Fault | undefined =>
			list.find((armed) => fires(armed, method, path))?.fault,
		remove(id: string): boolean {
			const previousCount = list.length;
			list = list.filter((armed) => armed.id !== id);
			return list.length < previousCount;
		},
		clear(): void {
			list = [];
		},
	};
}
