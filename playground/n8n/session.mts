import { setTimeout as sleep } from 'node:timers/promises';
import { CookieJar } from 'tough-cookie';
import { request } from './cookies.mts';

/** n8n refused a call; `status` and `body` are its answer. */
export class N8nError extends Error {
	readonly status: number;
	readonly body: unknown;

	constructor(call: string, status: number, body: unknown) {
		const told = (body as { message?: unknown } | undefined)?.message ?? body;
		super(
			`n8n answered ${call} with ${status}: ${typeof told === 'string' ? told : JSON.stringify(told)}`,
		);
		this.status = status;
		this.body = body;
	}
}

export interface Session {
	url: string;
	cookies: CookieJar;
	get<T>(path: string): Promise<T>;
	post<T>(path: string, body?: unknown): Promise<T>;
	patch<T>(path: string, body: unknown): Promise<T>;
	delete<T>(path: string): Promise<T>;
}

/** How often, second by second, n8n is asked again while it answers that its database is not ready. */
const TRIES_TO_READ = 60;

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** Calls to n8n's internal REST API, whose answers wrap their result in `data`. */
export function openSession(url: string): Session {
	const cookies = new CookieJar();

	async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
		const answer = await request(cookies, `${url}/rest${path}`, {
			method,
			headers: { 'content-type': 'application/json' },
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		const result = parsed(await answer.text());
		if (!answer.ok) throw new N8nError(`${method} /rest${path}`, answer.status, result);
		return (result as { data: T }).data;
	}

	/** n8n answers 503 to all when its own look at the database is late, as it is after seconds of work. */
	async function get<T>(path: string, tries = TRIES_TO_READ): Promise<T> {
		try {
			return await call<T>('GET', path);
		} catch (error) {
			const isBusy = error instanceof N8nError && error.status === 503;
			if (!isBusy || tries <= 1) throw error;
		}
		await sleep(1_000);
		return await get(path, tries - 1);
	}

	return {
		url,
		cookies,
		get: async (path) => await get(path),
		post: (path, body = {}) => call('POST', path, body),
		patch: (path, body) => call('PATCH', path, body),
		delete: (path) => call('DELETE', path),
	};
}
