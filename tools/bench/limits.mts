import type { NodeDraft } from '../../test/n8n/kit/workflow-nodes.mts';
import type { Rig } from '../../test/n8n/kit/test-rig.mts';
import { getNode, getRequest } from './contestants.mts';
import { timedNode } from './timed-node.mts';
import { median, type Row } from './row.mts';
import { addResponses } from './rig.mts';

const NODE = 'Form Responses';
const RESPONSES = 1_000;
const LIMIT = { perSecond: 100, burst: 20 };
/** No client can be faster: the burst at once, the others as they are allowed. */
const LEAST_MS = ((RESPONSES - LIMIT.burst) / LIMIT.perSecond) * 1_000;
/** A steady pace below the limit, which is refused nothing; not searched for the fastest. */
const STEADY = { batching: { batch: { batchSize: 10, batchInterval: 110 } } };

export const limited: Row = {
	title: '1,000 responses at 100/s',
	how: `Response → Get with default settings, service limited to 100 per second, burst 20, refusals with \`Retry-After: 1\`; the limit allows ${LEAST_MS / 1_000} s at best. A run without items failed.`,
	counted: 5,
	async runs(rig) {
		const ids = await addResponses(rig, RESPONSES);
		const getting = async (contestant: NodeDraft) => {
			const run = await timedNode(rig, contestant, { ids });
			return async () => {
				// A change of settings fills the service's allowance again.
				await rig.service.settings({ latencyMs: 50, rateLimit: LIMIT, retryAfterSeconds: 1 });
				return await run();
			};
		};
		return {
			[NODE]: await getting(getNode()),
			'HTTP Request, all at once': await getting(getRequest(rig)),
			'HTTP Request, 10 every 110 ms': await getting(getRequest(rig, undefined, STEADY)),
		};
	},
	checks: ({ [NODE]: { ms, items } }) => ({
		'vs limit': [median(ms) / LEAST_MS, '≤1.1×'],
		'fewest items': [Math.min(...items), `=${RESPONSES}`],
	}),
};

const LIMITS = [
	'1 per second, burst 1, latency 0 ms',
	'1 per second, burst 10, latency 300 ms',
	'2 per second, burst 5, latency 50 ms',
	'5 per second, burst 1, latency 300 ms',
	'10 per second, burst 1, latency 50 ms',
	'10 per second, burst 10, latency 0 ms',
	'30 per second, burst 3, latency 300 ms',
	'100 per second, burst 5, latency 50 ms',
];
/** What no client can take less than, without the latency of one request. */
const LEAST_SECONDS = 13;

/** Gets responses from a service of its own with a limit. */
async function underLimit(rig: Rig, limit: string) {
	const [perSecond, burst, latencyMs] = limit.match(/\d+/g)!.map(Number);
	const own = { ...rig, ...(await rig.openService()) };
	const count = LEAST_SECONDS * perSecond + burst;
	const get = await timedNode(own, getNode(), { ids: await addResponses(own, count) });
	const { service } = own;
	return async () => {
		await service.settings({ latencyMs, rateLimit: { perSecond, burst }, retryAfterSeconds: 1 });
		await service.forgetRequests();
		const { ms, items } = await get();
		return {
			'× the limit': ms / (LEAST_SECONDS * 1_000 + latencyMs),
			'requests per item': (await service.requests()).length / count,
			'responses missing': count - items,
		};
	};
}

export const limits: Row = {
	title: 'Other limits',
	how: `Response → Get with default settings, for as many items as the limit allows in ${LEAST_SECONDS} s, refusals with \`Retry-After: 1\`; all services at once in one n8n, because the runs mostly wait.`,
	counted: 5,
	together: true,
	async runs(rig) {
		const all = LIMITS.map(async (limit) => [limit, await underLimit(rig, limit)] as const);
		return Object.fromEntries(await Promise.all(all));
	},
	checks(measured) {
		const most = (what: string, of: (values: number[]) => number) =>
			Math.max(...Object.values(measured).map((figures) => of(figures[what])));
		return {
			'slowest, vs limit': [most('× the limit', median), '≤1.25×'],
			'requests per item': [most('requests per item', median), '≤1.5'],
			'responses missing': [most('responses missing', (all) => Math.max(...all)), '=0'],
		};
	},
};
