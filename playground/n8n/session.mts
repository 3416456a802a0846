import { setTimeout as sleep } from 'node:timers/promises';

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

export interface Account {
	email: string;
	password: string;
}

/** Of each n8n that is started here. */
export const owner: Account = { email: 'owner@example.com', password: 'Playground1' };

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
export function openSession(url: string) {
	/** The header by which n8n knows who is logged in. */
	let cookie = '';

	async function open(path: string, init: RequestInit = {}): Promise<Response> {
		const headers = { 'content-type': 'application/json', cookie };
		const answer = await fetch(new URL(path, url), { ...init, headers }).catch((error: Error) => {
			const { code } = (error.cause ?? error) as NodeJS.ErrnoException;
			throw new Error(`No n8n answers at ${url}: ${code ?? error.message}`, { cause: error });
		});
		const [kept] = answer.headers.getSetCookie().filter((line) => line.startsWith('n8n-auth='));
		if (kept) cookie = kept.split(';')[0]!;
		return answer;
	}

	async function call<T>(method: string, path: string, body?: unknown): Promise<T> {
		const answer = await open(`/rest${path}`, { method, body: JSON.stringify(body) });
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
		/** For what is not below `/rest`. */
		open,
		get: async <T,>(path: string) => await get<T>(path),
		post: async <T,>(path: string, body: unknown = {}) => await call<T>('POST', path, body),
		patch: async <T,>(path: string, body: unknown) => await call<T>('PATCH', path, body),
		delete: async (path: string) => await call('DELETE', path),
		/** Name and value. */
		cookie: () => cookie.split('=') as [string, string],
	};
}

export type Session = ReturnType<typeof openSession>;

interface PublicSettings {
	userManagement: { showSetupOnFirstLoad: boolean };
}

/** Logs in; of a new n8n the account becomes the owner. */
export async function logIn(session: Session, { email, password }: Account) {
	const settings = await session.get<PublicSettings | undefined>('/settings');
	if (!settings?.userManagement) throw new Error(`What answers at ${session.url} is no n8n.`);
	if (settings.userManagement.showSetupOnFirstLoad) {
		const name = { firstName: 'Playground', lastName: 'Owner' };
		await session.post('/owner/setup', { email, password, ...name });
		return;
	}
	try {
		await session.post('/login', { emailOrLdapLoginId: email, password });
	} catch (error) {
		if (!(error instanceof N8nError) || error.status !== 401) throw error;
		throw new Error(
			`The n8n at ${session.url} has no account ${email} with this password. Tests in an n8n that runs already take N8N_EMAIL and N8N_PASSWORD; "npm start" starts afresh without its data folder.`,
		);
	}
}
