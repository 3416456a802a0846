import { after, beforeEach } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { formServiceAt } from '../client.mts';
import { startService, type StartOptions } from '../start.mts';
import type { Form, Hook } from '../types.mts';

export type Answered<Body> = { status: number; headers: Headers; body: Body };
export type Call = { token?: string; body?: unknown; headers?: Record<string, string> };
export type ErrorBody = Record<'error' | 'code' | 'message' | 'hint' | 'docs', string>;
export type FormPage = { data: Form[]; nextCursor: string | null };

export const apiKey = 'live_playground_key';
export const unknownId = '00000000-0000-4000-8000-000000000000';

/** Sends a request as it is, and gives the answer as it is. */
const callsAt = (url: string) =>
	async function call<Body = any>(
		method: string,
		path: string,
		{ token, body, headers }: Call = {},
	): Promise<Answered<Body>> {
		const response = await fetch(url + path, {
			method,
			redirect: 'manual',
			headers: {
				...(token !== undefined && { Authorization: `Bearer ${token}` }),
				...(body !== undefined && { 'Content-Type': 'application/json' }),
				...headers,
			},
			body: typeof body === 'string' || body === undefined ? body : JSON.stringify(body),
		});
		const text = await response.text();
		const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
		return {
			status: response.status,
			headers: response.headers,
			body: (isJson ? JSON.parse(text) : text) as Body,
		};
	};

/** Starts an empty service, with the controls of client.mts and with calls that may be refused. */
export async function startPlayground(options: Partial<StartOptions> = {}) {
	const lines: string[] = [];
	const service = await startService({
		port: 0,
		validateResponses: true,
		log: (line) => lines.push(line),
		...options,
	});
	const controls = formServiceAt(service.url, service.close);
	const call = callsAt(service.url);
	const api = <Body = any,>(method: string, path: string, rest?: Call) =>
		call<Body>(method, `/api/v1${path}`, rest);

	return {
		...service,
		...controls,
		lines,
		call,
		api,
		control: async (method: string, path: string, body?: object): Promise<any> =>
			await controls.control(method, path, body),
		subscribe: (token: string, formId: string, targetUrl: string) =>
			api<Hook & ErrorBody>('POST', '/hooks', { token, body: { formId, targetUrl } }),
		/** All deliveries, once there are so many: they come after the answer that caused them. */
		async delivered(count = 1) {
			const end = Date.now() + 5_000;
			for (;;) {
				const all = await controls.deliveries();
				if (all.length >= count) return all;
				if (Date.now() > end) throw new Error(`${all.length} of ${count} deliveries`);
				await sleep(5);
			}
		},
	};
}

export type Playground = Awaited<ReturnType<typeof startPlayground>>;

/** One service for the tests of a file, emptied before each, and a token with every scope. */
export async function sharedPlayground() {
	const playground = await startPlayground();
	after(playground.close);
	beforeEach(playground.reset);
	return { playground, token: await playground.accessToken() };
}
