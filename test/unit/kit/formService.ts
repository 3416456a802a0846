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

export type FakeService = ReturnType<typeof fakeService>;

export function reply(status: number, body?: unknown, headers?: Headers): Reply {
	return { status, body, headers };
}

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
export function fakeService(base = BASE_URL) {
	const { origin, hostname, pathname } = new URL(base);
	const sent: SentRequest[] = [];

	function keep({ method = '', path = '', headers = {} }: NockRequest, body: unknown): SentRequest {
		const url = new URL(path, origin);
		const [authorization] = [headers.authorization as string | string[] | undefined].flat();
		const query = Object.fromEntries(url.searchParams);
		const below = url.pathname.replace(pathname, '');
		sent.push({ method, path: below, query, body: parse(body), authorization });
		return sent[sent.length - 1];
	}

	function answer(scope: nock.Scope, method: string, path: string | RegExp, give: Reply | Answer) {
		const interceptor = scope.intercept((uri) => {
			const below = uri.split('?')[0].replace(pathname, '');
			return typeof path === 'string' ? below === path : path.test(below);
		}, method);
		if ('fault' in give) {
			const error = Object.assign(new Error(give.fault), { code: give.fault });
			const broken = interceptor.replyWithError(error);
			broken.on('request', (request, _, body) => keep(request as NockRequest, body));
			return;
		}
		interceptor.reply(function (_, text) {
			const request = keep(this.req, text);
			const given = typeof give === 'function' ? give(request) : give;
			if ('fault' in given) throw new Error('A function cannot give a fault');
			return [given.status, given.body as nock.Body, given.headers];
		});
	}

	// Without an answer of its own for that host, nock passes no more than where the request goes.
	nock.emitter.on('no match', (request: NockRequest, options = request, body: unknown = '') => {
		if (options.hostname === hostname) keep(options, body);
	});

	return {
		/** Every request, also one without an answer, which fails. */
		sent,
		/** The paths that were asked for, each with its method. */
		calls: () => sent.map(({ method, path }) => `${method} ${path}`),
		/** Answers requests in turn; when all answers are used up, further requests fail. */
		on(method: string, path: string | RegExp, ...replies: Reply[]) {
			for (const one of replies) answer(nock(origin), method, path, one);
		},
		/** Answers every further request the same way, or as the function says. */
		always(method: string, path: string | RegExp, give: Reply | Answer) {
			answer(nock(origin).persist(), method, path, give);
		},
	};
}
