import { after, before, beforeEach } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startService, type StartOptions } from '../start.mts';
import type { Delivery, Envelope, Form, Hook } from '../types.mts';
import type { RequestRecord } from '../request-log.mts';

export type Answered<Body> = { status: number; headers: Headers; body: Body };
export type Call = { token?: string; body?: unknown; headers?: Record<string, string> };
export type ErrorBody = Record<'error' | 'code' | 'message' | 'hint' | 'docs', string>;
export type FormPage = { data: Form[]; nextCursor: string | null };

export const apiKey = 'live_playground_key';
export const unknownId = '00000000-0000-4000-8000-000000000000';

/** Of what the service at this address answers. */
const callsTo = (url: string) =>
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

async function atLeast(count: number, deliveries: () => Promise<Delivery[]>) {
	const end = Date.now() + 5_000;
	for (;;) {
		const all = await deliveries();
		if (all.length >= count) return all;
		if (Date.now() > end) throw new Error(`${all.length} of ${count} deliveries`);
		await sleep(5);
	}
}

/** Starts an empty service, with shortcuts for calling it. */
export async function startPlayground(options: Partial<StartOptions> = {}) {
	const lines: string[] = [];
	const service = await startService({
		port: 0,
		data: ':memory:',
		validateResponses: true,
		log: (line) => lines.push(line),
		...options,
	});

	const call = callsTo(service.url);
	const api = <Body = any,>(method: string, path: string, rest?: Call) =>
		call<Body>(method, `/api/v1${path}`, rest);
	const control = async <Body = any,>(method: string, path: string, body?: unknown) => {
		const answered = await call<Body>(method, `/playground${path}`, { body });
		if (answered.status >= 400) throw new Error(JSON.stringify(answered.body));
		return answered.body;
	};
	const forms = async (request: object = { title: 'Survey' }): Promise<Form[]> =>
		(await control('POST', '/forms', request)).forms;

	const deliveries = async (): Promise<Delivery[]> =>
		(await control('GET', '/deliveries')).deliveries;

	return {
		...service,
		lines,
		call,
		api,
		control,
		forms,
		form: async (request?: object): Promise<Form> => (await forms(request))[0]!,
		token: async (scope?: string): Promise<string> =>
			(await control('POST', '/tokens', { scope })).accessToken,
		respond: async (formId: string, request: object = {}): Promise<Envelope[]> =>
			(await control('POST', `/forms/${formId}/responses`, request)).responses,
		subscribe: (token: string, formId: string, targetUrl: string) =>
			api<Hook & ErrorBody>('POST', '/hooks', { token, body: { formId, targetUrl } }),
		hooks: async (): Promise<Hook[]> => (await control('GET', '/hooks')).hooks,
		deliveries,
		/** All deliveries, once there are so many: they come after the answer that caused them. */
		delivered: async (count = 1) => await atLeast(count, deliveries),
		requests: async (): Promise<RequestRecord[]> => (await control('GET', '/requests')).requests,
		settings: (changes: object) => control('PUT', '/settings', changes),
		fault: (fault: object) => control<{ id: string }>('POST', '/faults', fault),
	};
}

export type Playground = Awaited<ReturnType<typeof startPlayground>>;

/** Shares one service among the tests of a file, emptied before each; `token` has every scope. */
export function eachWithPlayground() {
	const context = { token: '' } as { playground: Playground; token: string };
	before(async () => (context.playground = await startPlayground()));
	after(() => context.playground.close());
	beforeEach(async () => {
		await context.playground.control('POST', '/reset');
		context.token = await context.playground.token();
	});
	return context;
}
