import type { Rig } from '../../test/n8n/kit/real-n8n.mts';
import { getNode } from './contestants.mts';
import { addResponses } from './rig.mts';
import { median, rowOf } from './row.mts';
import { timedNode } from './timed-node.mts';

const NODE = 'Form Responses';

interface Limit {
	perSecond: number;
	burst: number;
	latencyMs: number;
}

/** Gets responses from a service with a limit. */
async function underLimit(rig: Rig, { latencyMs, ...rateLimit }: Limit, count: number) {
	const get = await timedNode(rig, getNode(), { ids: await addResponses(rig, count) });
	return async () => {
		// A change of settings fills the service's allowance again.
		await rig.service.settings({ latencyMs, rateLimit, retryAfterSeconds: 1 });
		await rig.service.forgetRequests();
		return await get();
	};
}

const RESPONSES = 1_000;
const LIMIT = { perSecond: 100, burst: 20, latencyMs: 50 };
/** No client can be faster: the burst at once, the others as they are allowed. */
const LEAST_MS = ((RESPONSES - LIMIT.burst) / LIMIT.perSecond) * 1_000;

export const limited = rowOf({
	title: '1,000 responses at 100/s',
	how: `Response → Get with default settings, service limited to 100 per second, burst 20, refusals with \`Retry-After: 1\`; the limit allows ${LEAST_MS / 1_000} s at best.`,
	counted: 5,
	runs: async (rig) => ({ [NODE]: await underLimit(rig, LIMIT, RESPONSES) }),
	checks: ({ [NODE]: { ms, items } }) => ({
		'vs limit': [median(ms) / LEAST_MS, '≤1.1×'],
		'fewest items': [Math.min(...items), `=${RESPONSES}`],
	}),
});

const LIMITS: Limit[] = [
	{ perSecond: 1, burst: 1, latencyMs: 0 },
	{ perSecond: 1, burst: 10, latencyMs: 300 },
	{ perSecond: 2, burst: 5, latencyMs: 50 },
	{ perSecond: 5, burst: 1, latencyMs: 300 },
	{ perSecond: 10, burst: 1, latencyMs: 50 },
	{ perSecond: 10, burst: 10, latencyMs: 0 },
	{ perSecond: 30, burst: 3, latencyMs: 300 },
	{ perSecond: 100, burst: 5, latencyMs: 50 },
];
/** What no client can take less than, without the latency of one request. */
const LEAST_SECONDS = 13;

/** With a service of its own, so that all limits can be tried at once. */
async function atOwnService(rig: Rig, limit: Limit) {
	const { perSecond, burst, latencyMs } = limit;
	const own = { ...rig, ...(await rig.openService()) };
	const count = LEAST_SECONDS * perSecond + burst;
	const get = await underLimit(own, limit, count);
	const run = async () => {
		const { ms, items } = await get();
		return {
			'× the limit': ms / (LEAST_SECONDS * 1_000 + latencyMs),
			'requests per item': (await own.service.requests()).length / count,
			'responses missing': count - items,
		};
	};
	return [`${perSecond} per second, burst ${burst}, latency ${latencyMs} ms`, run] as const;
}

export const limits = rowOf({
	title: 'Other limits',
	how: `Response → Get with default settings, for as many items as the limit allows in ${LEAST_SECONDS} s, refusals with \`Retry-After: 1\`; all services at once in one n8n, because the runs mostly wait.`,
	counted: 5,
	together: true,
	runs: async (rig) =>
		Object.fromEntries(await Promise.all(LIMITS.map((limit) => atOwnService(rig, limit)))),
	checks(measured) {
		const all = Object.values(measured);
		const most = (what: keyof (typeof all)[number], of: (values: number[]) => number) =>
			Math.max(...all.map((figures) => of(figures[what])));
		return {
			'slowest, vs limit': [most('× the limit', median), '≤1.25×'],
			'requests per item': [most('requests per item', median), '≤1.5'],
			'responses missing': [most('responses missing', (all) => Math.max(...all)), '=0'],
		};
	},
});
