import nock from 'nock';

export const ORIGIN = 'https://forms.example.com';
export const BASE_URL = `${ORIGIN}/api/v1`;

/** One answer of the service: a status and a body, or a fault of the network. */
export type Reply =
	| { status: number; body?: unknown; headers?: Record<string, string> }
	| { fault: string };

/** A request as it reached the service. */
interface SentRequest {
	method: string;
	path: string;
	query: Record<string, string>;
	body: unknown;
	authorization: string | undefined;
}

/** A request for which the test has no answer, as nock tells it. */
interface Unanswered {
	hostname?: string;
	method?: string;
	path?: string;
	headers?: Record<string, unknown>;
}

export interface FakeService {
	/** Those without an answer too, which fail. */
	readonly sent: SentRequest[];
	/** The paths that were asked for, each with its method. */
	calls(): string[];
	/** Answers requests in turn; when all answers are used up, further requests fail. */
	on(method: string, path: string | RegExp, ...replies: Reply[]): void;
	/** Answers every further request the same way, or as the function says. */
	always(
		method: string,
		path: string | RegExp,
		reply: Reply | ((sent: SentRequest) => Reply),
	): void;
}

export const ok = (body: unknown, headers?: Record<string, string>): Reply => ({
	status: 200,
	body,
	headers,
});

export const refused = (
	status: number,
	body?: unknown,
	headers?: Record<string, string>,
): Reply => ({
	status,
	body,
	headers,
});

export const fault = (code: string): Reply => ({ fault: code });

function parse(body: unknown): unknown {
	if (typeof body !== 'string') return body;
	try {
		return JSON.parse(body) as unknown;
	} catch {
		return body;
	}
}

function sentOf(
	base: string,
	{ method, path, headers }: { method: string; path: string; headers: Record<string, unknown> },
	body: unknown,
): SentRequest {
	const url = new URL(path, ORIGIN);
	const authorization = headers.authorization as string | string[] | undefined;
	return {
		method,
		path: url.pathname.replace(new URL(base).pathname, ''),
		query: Object.fromEntries(url.searchParams),
		body: body === '' ? undefined : parse(body),
		authorization: Array.isArray(authorization) ? authorization[0] : authorization,
	};
}

function textOf(body: unknown): string | undefined {
	return body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
}

function headersOf({ body, headers }: { body?: unknown; headers?: Record<string, string> }) {
	const isJson = body !== undefined && typeof body !== 'string';
	return { ...(isJson ? { 'Content-Type': 'application/json' } : {}), ...headers };
}

/** The form service as the nodes see it: answers given by the test, every request kept. */
export function fakeService(base = BASE_URL): FakeService {
	const sent: SentRequest[] = [];

	function intercept(method: string, path: string | RegExp, isForever: boolean) {
		const { origin, pathname } = new URL(base);
		const matches = (uri: string) => {
			const below = uri.split('?')[0].replace(pathname, '');
			return typeof path === 'string' ? below === path : path.test(below);
		};
		const scope = nock(origin).persist(isForever);
		return scope.intercept(matches, method);
	}

	const keep = (request: unknown, body: unknown) => {
		const one = sentOf(base, request as Parameters<typeof sentOf>[1], body);
		sent.push(one);
		return one;
	};

	// Without an answer of its own for that host, nock passes no more than where the request goes.
	nock.emitter.on(
		'no match',
		(request: Unanswered, options: Unanswered = request, body: unknown = '') => {
			if (options.hostname === new URL(base).hostname) keep({ headers: {}, ...options }, body);
		},
	);

	return {
		sent,
		calls: () => sent.map(({ method, path }) => `${method} ${path}`),
		on(method, path, ...replies) {
			for (const reply of replies) {
				const interceptor = intercept(method, path, false);
				if ('fault' in reply) {
					const error = Object.assign(new Error(reply.fault), { code: reply.fault });
					const scope = interceptor.replyWithError(error);
					scope.on('request', (request, _, body) => keep(request, body));
				} else {
					interceptor.reply(function (_, body) {
						keep(this.req, body);
						return [reply.status, textOf(reply.body), headersOf(reply)];
					});
				}
			}
		},
		always(method, path, reply) {
			intercept(method, path, true).reply(function (_, body) {
				const one = keep(this.req, body);
				const answer = typeof reply === 'function' ? reply(one) : reply;
				if ('fault' in answer) throw new Error('A fault can be answered in turn only');
				return [answer.status, textOf(answer.body), headersOf(answer)];
			});
		},
	};
}
