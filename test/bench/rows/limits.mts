import { nodeGetter } from '../contestants/get-responses.mts';
import { measuresOf } from '../measures.mts';
import type { Check, Row } from '../row.mts';
import { addResponses } from '../stage/service.mts';
import type { Stage } from '../stage/stage.mts';
import { median } from '../statistics.mts';

/** Requests a second, how many of them at once, and milliseconds until the answer. */
const LIMITS = [
	[1, 1, 0],
	[1, 10, 300],
	[2, 5, 50],
	[5, 1, 300],
	[10, 1, 50],
	[10, 10, 0],
	[30, 3, 300],
	[100, 5, 50],
] as const;
/** What no client can take less than, without the latency of one request. */
const LEAST_MS = 13_000;

/** A service of its own with a limit, and a workflow that gets responses from it. */
async function openLimited(stage: Stage, [perSecond, burst, latencyMs]: (typeof LIMITS)[number]) {
	const connection = await stage.openService();
	const { service } = connection;
	const count = (LEAST_MS / 1_000) * perSecond + burst;
	const ids = (await addResponses(service, count)).map(({ data }) => data.responseId);
	const get = await nodeGetter({ ...stage, ...connection }, 'oAuth2');
	const rateLimit = { perSecond, burst };
	return {
		name: `${perSecond} per second, burst ${burst}, latency ${latencyMs} ms`,
		async run() {
			await service.settings({ latencyMs, rateLimit, retryAfterSeconds: 1 });
			await service.forgetRequests();
			const { ms, items, error } = await get(ids);
			const requests = (await service.requests()).length;
			return {
				time: ms / (LEAST_MS + latencyMs),
				requests: requests / count,
				missing: error === undefined ? count - items : count,
			};
		},
	};
}

export const limits: Row = async ({ stage: open, isQuick, show }) => {
	const stage = await open();
	const times: Record<string, number[]> = {};
	const requests: Record<string, number[]> = {};
	let missing = 0;
	const all = [];
	for (const limit of LIMITS) all.push(await openLimited(stage, limit));
	for (let round = 0; round < (isQuick ? 1 : 5); round++) {
		// They mostly wait, so they hardly slow each other down.
		await Promise.all(
			all.map(async ({ name, run }) => {
				const result = await run();
				(times[`${name}: time`] ??= []).push(result.time);
				(requests[`${name}: requests`] ??= []).push(result.requests);
				missing += result.missing;
				show(`${name}: ${result.time.toFixed(2)} ×, ${result.requests.toFixed(2)} requests`);
			}),
		);
	}
	const worst = (values: Record<string, number[]>) =>
		Math.max(...Object.values(values).map(median));
	const checks: Check[] = [
		{ what: 'slowest, of the limit', value: worst(times), unit: '×', bar: { atMost: 1.25 } },
		{
			what: 'most requests for each item',
			value: worst(requests),
			unit: '',
			bar: { atMost: 1.5 },
		},
		{ what: 'responses that did not come', value: missing, unit: '', bar: { exactly: 0 } },
	];
	return {
		title: 'Responses by ID from services with other limits',
		how: `Response → Get with default settings, for as many items as take ${LEAST_MS / 1_000} s at the least, refusals with \`Retry-After: 1\`; all services at the same time in one n8n. The time is that of the limit, and the requests are those for each item.`,
		measures: [...measuresOf(times, '×'), ...measuresOf(requests, 'per item')],
		checks,
	};
};
