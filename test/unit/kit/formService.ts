import nock from 'nock';

export const ORIGIN = 'https://forms.example.com';
export const BASE_URL = `${ORIGIN}/api/v1`;

type Headers = Record<string, string>;

/** One answer of the service: a status and a body, or a fault of the network. */
export type Reply = { status: number; body?: unknown; headers?: Headers } | { fault: string };

/** A request as it reached the service. */
interface SentRequest {
	method: string;
	path: string;
	query: Record<string, string>;
	body: unknown;
	authorization: string | undefined;
}

type Answer = (sent: SentRequest) => Reply;

export interface FakeService {
	/** Those without an answer too, which fail. */
	readonly sent: SentRequest[];
	/** The paths that were asked for, each with its method. */
	calls(): string[];
	/** Answers requests in turn; when all answers are used up, further requests fail. */
	on(method: string, path: string | RegExp, ...replies: Reply[]): void;
	/** Answers every further request the same way, or as the function says. */
	always(method: string, path: string | RegExp, reply: Reply | Answer): void;
}

export const reply = (status: number, body?: unknown, headers?: Headers): Reply => ({
	status,
	body,
	headers,
});

export const ok = (body: unknown, headers?: Headers): Reply => reply(200, body, headers);

export const fault = (code: string): Reply => ({ fault: code });

/** As nock tells a request, and one for which the test has no answer. */
interface NockRequest {
	hostname?: string;
	method?: string;
	path?: string;
	headers?: Record<string, unknown>;
}

function parse(body: unknown): unknown {
	if (typeof body !== 'string') return body;
	try {
		return JSON.parse(body) as unknown;
	} catch {
		return body === '' ? undefined : body;
	}
}

/** The form service as the nodes see it: answers given by the test, every request kept. */
export function fakeService(base = BASE_URL): FakeService {
	const { origin, hostname, pathname } = new URL(base);
	const sent: SentRequest[] = [];

	function keep({ method = '', path = '', headers = {} }: NockRequest, body: unknown) {
		const url = new URL(path, origin);
		const [authorization] = [headers.authorization as string | string[] | undefined].flat();
		const query = Object.fromEntries(url.searchParams);
		const below = url.pathname.replace(pathname, '');
		sent.push({ method, path: below, query, body: parse(body), authorization });
		return sent[sent.length - 1];
	}

	function intercept(method: string, path: string | RegExp, isForever: boolean) {
		const matches = (uri: string) => {
			const below = uri.split('?')[0].replace(pathname, '');
			return typeof path === 'string' ? below === path : path.test(below);
		};
		return nock(origin).persist(isForever).intercept(matches, method);
	}

	function answer(interceptor: nock.Interceptor, give: Answer) {
		interceptor.reply(function (_, body) {
			const reply = give(keep(this.req, body));
			if ('fault' in reply) throw new Error('A fault can be answered in turn only');
			return [reply.status, reply.body as nock.Body, reply.headers];
		});
	}

	function breakOff(interceptor: nock.Interceptor, code: string) {
		const scope = interceptor.replyWithError(Object.assign(new Error(code), { code }));
		scope.on('request', (request, _, body) => keep(request as NockRequest, body));
	}

	// Without an answer of its own for that host, nock passes no more than where the request goes.
	nock.emitter.on('no match', (request: NockRequest, options = request, body: unknown = '') => {
		if (options.hostname === hostname) keep(options, body);
	});

	return {
		sent,
		calls: () => sent.map(({ method, path }) => `${method} ${path}`),
		on(method, path, ...replies) {
			for (const reply of replies) {
				const interceptor = intercept(method, path, false);
				if ('fault' in reply) breakOff(interceptor, reply.fault);
				else answer(interceptor, () => reply);
			}
		},
		always(method, path, reply) {
			answer(intercept(method, path, true), typeof reply === 'function' ? reply : () => reply);
		},
	};
}
