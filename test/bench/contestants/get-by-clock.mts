import { mock } from 'node:test';
import {
	createTimeline,
	seededRandom,
} from '../../nodes/FormResponses/transport/rateLimiter.simulation.ts';
import type { Limiter } from '../../nodes/FormResponses/transport/rateLimiter.simulation.ts';

type Json = Record<string, unknown>;

interface Item {
	json: Json;
}

export interface ActionNode {
	new (): { execute(this: unknown): Promise<[Item[]]> };
}

interface Simulated {
	requests: number;
	latencyMs: number;
	limiter: Limiter;
	seed: number;
}

const parameters: Json = {
	authentication: 'oAuth2',
	resource: 'response',
	operation: 'get',
	simplify: true,
	options: {},
};

const answerTo = (url: string) => ({
	createdAt: '2026-01-31T09:00:00.000Z',
	data: {
		formId: '11111111-1111-4111-8111-111111111111',
		formTitle: 'Feedback',
		responseId: url.split('/').at(-1),
		respondentEmail: null,
		completedAt: '2026-01-31T09:00:00.000Z',
		answers: [],
		fields: {},
		hiddenFields: {},
		metadata: {},
	},
});

/**
 * The whole node with default settings, which gets responses from a service that is not there: by a
 * simulated clock, and with the node's own patience. Nothing else in this process runs meanwhile,
 * because nothing waits for anything but promises.
 *
 * @returns simulated milliseconds, and how many responses came
 */
export async function getByClock(
	Node: ActionNode,
	{ requests, latencyMs, limiter, seed }: Simulated,
): Promise<{ ms: number; items: number }> {
	const { now, sleep, runUntil } = createTimeline();
	const random = seededRandom(seed);
	const ids = Array.from({ length: requests }, () => crypto.randomUUID());

	async function httpRequestWithAuthentication(_: string, { url }: { url: string }) {
		const answer = limiter(now());
		await sleep(latencyMs + random() * 6);
		if (answer.taken) return { statusCode: 200, headers: {}, body: answerTo(url) };
		const headers = { 'retry-after': String(answer.retryAfterMs / 1_000) };
		return { statusCode: 429, headers, body: { code: 'rate_limited' } };
	}

	const context = {
		getNodeParameter: (name: string, itemIndex: number) =>
			name === 'responseId' ? ids[itemIndex] : parameters[name],
		getInputData: () => ids.map((id) => ({ json: { id } })),
		getNode: () => ({ name: 'Form Responses' }),
		getCredentials: async () => ({ baseUrl: 'https://forms.example.com/api/v1' }),
		getExecutionCancelSignal: () => undefined,
		continueOnFail: () => true,
		helpers: { httpRequestWithAuthentication },
	};

	mock.method(Date, 'now', now);
	mock.method(Math, 'random', random);
	mock.method(
		globalThis,
		'setTimeout',
		(wake: () => void, ms: number) => void sleep(ms).then(wake),
	);
	try {
		let isOver = false;
		const run = new Node().execute.call(context).finally(() => (isOver = true));
		await runUntil(() => isOver);
		const [items] = await run;
		return { ms: now(), items: items.filter(({ json }) => !json.error).length };
	} finally {
		mock.restoreAll();
	}
}
