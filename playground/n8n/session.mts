import { cookieJar } from './cookies.mts';
import type { CookieJar } from './cookies.mts';

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

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}

/** Calls to n8n's internal REST API, whose answers wrap their result in `data`. */
export function openSession(url: string): Session {
	const cookies = cookieJar();

	async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
		const answer = await fetch(`${url}/rest${path}`, {
			method,
			headers: { ...cookies.header(), 'content-type': 'application/json' },
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		cookies.keepFrom(answer);
		const result = parsed(await answer.text());
		if (!answer.ok) throw new N8nError(`${method} /rest${path}`, answer.status, result);
		return (result as { data: T }).data;
	}

	return {
		url,
		cookies,
		get: (path) => call('GET', path),
		post: (path, body = {}) => call('POST', path, body),
		patch: (path, body) => call('PATCH', path, body),
		delete: (path) => call('DELETE', path),
	};
}
