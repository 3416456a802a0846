import { setTimeout as sleep } from 'node:timers/promises';

export class N8nError extends Error {
	readonly status: number;
	/** n8n's message. */
	readonly reason: string;

	constructor(call: string, status: number, reason: string) {
		super(`n8n answered ${call} with ${status}: ${reason}`);
		this.status = status;
		this.reason = reason;
	}
}

export const hasStatus = (error: unknown, ...statuses: number[]): error is N8nError =>
	error instanceof N8nError && statuses.includes(error.status);

export interface Account {
	email: string;
	password: string;
}

/** The owner account of every n8n that is started here. */
export const owner: Account = { email: 'owner@example.com', password: 'Playground1' };

/** Attempts, one per second, while n8n reports that its database is not ready. */
const MAX_ATTEMPTS = 60;

/** Calls n8n's internal REST API, which wraps results in `data`. */
export function openSession(url: string) {
	let cookie = '';

	async function open(address: string, init: RequestInit = {}): Promise<Response> {
		const headers = { 'content-type': 'application/json', cookie };
		const answer = await fetch(address, { ...init, headers }).catch((error: Error) => {
			const { code } = (error.cause ?? error) as NodeJS.ErrnoException;
			throw new Error(`No n8n answers at ${url}: ${code ?? error.message}`);
		});
		const set = answer.headers.getSetCookie().find((line) => line.startsWith('n8n-auth='));
		if (set) cookie = set.split(';')[0]!;
		return answer;
	}

	async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
		const answer = await open(`${url}/rest${path}`, { method, body: JSON.stringify(body) });
		const isJson = answer.headers.get('content-type')?.startsWith('application/json');
		const result = isJson ? await answer.json() : { message: await answer.text() };
		const { data, message } = result as { data: T; message: string };
		if (!answer.ok) throw new N8nError(`${method} /rest${path}`, answer.status, message);
		return data;
	}

	/** Retries 503: n8n answers it to everything if its database ping is late, as after seconds of work. */
	async function get<T>(path: string, attempts = MAX_ATTEMPTS): Promise<T> {
		try {
			return await call<T>('GET', path);
		} catch (error) {
			if (attempts <= 1 || !hasStatus(error, 503)) throw error;
			await sleep(1_000);
			return await get(path, attempts - 1);
		}
	}

	return {
		url,
		/** For addresses outside `/rest`. */
		open,
		get,
		post: async <T,>(path: string, body: unknown = {}) => await call<T>('POST', path, body),
		patch: async <T,>(path: string, body: unknown) => await call<T>('PATCH', path, body),
		delete: async (path: string) => await call('DELETE', path),
		/** Name and value. */
		cookie: () => cookie.split('=') as [string, string],
	};
}

export type Session = ReturnType<typeof openSession>;

/** Logs in; on a new n8n, creates the owner account. */
export async function logIn(session: Session, { email, password }: Account) {
	const account = { email, password, firstName: 'Playground', lastName: 'Owner' };
	const noN8n = new Error(`What answers at ${session.url} is no n8n.`);
	try {
		if (await session.post('/owner/setup', account)) return;
		throw noN8n;
	} catch (error) {
		if (hasStatus(error, 404, 405)) throw noN8n;
		// n8n's answer where there is an owner (n8n, ownership.service.ts).
		if (!hasStatus(error, 400)) throw error;
	}
	await session.post('/login', { emailOrLdapLoginId: email, password }).catch((error) => {
		if (!hasStatus(error, 401)) throw error;
		throw new Error(
			`The n8n at ${session.url} has no account ${email} with this password. To test in an n8n that is already running, set N8N_EMAIL and N8N_PASSWORD; to start "npm start" afresh, delete its data folder.`,
		);
	});
}
