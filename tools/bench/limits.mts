import type { NodeDraft } from '../../test/n8n/kit/workflow-nodes.mts';
import type { Rig } from '../../test/n8n/kit/test-rig.mts';
import { getNode, getRequest } from './contestants.mts';
import { inWorkflow } from './in-workflow.mts';
import { median, type Row } from './row.mts';
import { addResponses } from './stage.mts';

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
	async runs(stage) {
		const ids = await addResponses(stage, RESPONSES);
		const getting = async (contestant: NodeDraft) => {
			const run = await inWorkflow(stage, contestant, { ids });
			return async () => {
				// A change of settings fills the service's allowance again.
				await stage.service.settings({ latencyMs: 50, rateLimit: LIMIT, retryAfterSeconds: 1 });
				return await run();
			};
		};
		return {
			[NODE]: await getting(getNode()),
			'HTTP Request, all at once': await getting(getRequest(stage)),
			'HTTP Request, 10 every 110 ms': await getting(getRequest(stage, undefined, STEADY)),
		};
	},
	checks: ({ [NODE]: { ms, items } }) => [
		{ what: 'vs limit', value: median(ms) / LEAST_MS, bar: ['at most', 1.1] },
		{ what: 'fewest items', value: Math.min(...items), unit: '', bar: ['exactly', RESPONSES] },
	],
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
async function underLimit(stage: Rig, limit: string) {
	const [perSecond, burst, latencyMs] = limit.match(/\d+/g)!.map(Number);
	const own = { ...stage, ...(await stage.openService()) };
	const count = LEAST_SECONDS * perSecond + burst;
	const get = await inWorkflow(own, getNode(), { ids: await addResponses(own, count) });
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
	async runs(stage) {
		const all = LIMITS.map(async (limit) => [limit, await underLimit(stage, limit)] as const);
		return Object.fromEntries(await Promise.all(all));
	},
	checks(measured) {
		const most = (what: string, of: (values: number[]) => number) =>
			Math.max(...Object.values(measured).map((figures) => of(figures[what])));
		const requests = most('requests per item', median);
		const missing = most('responses missing', (values) => Math.max(...values));
		return [
			{ what: 'slowest, vs limit', value: most('× the limit', median), bar: ['at most', 1.25] },
			{ what: 'requests per item', value: requests, unit: '', bar: ['at most', 1.5] },
			{ what: 'responses missing', value: missing, unit: '', bar: ['exactly', 0] },
		];
	},
};
