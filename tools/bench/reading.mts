import { formsLoop, formsNode, formsRequest, getNode, getRequest } from './contestants.mts';
import { heapOfNode, timedNode } from './timed-node.mts';
import { median, ratio, rowOf } from './row.mts';
import { addResponses } from './rig.mts';

const NODE = 'Form Responses';
const REQUEST = 'HTTP Request';

export const forms = rowOf({
	title: '5,000 forms',
	how: "Form → Get Many with Return All, 50 pages of 100; peers: a bare loop over n8n's request helper, and the HTTP Request node with pagination. Time of the node as n8n notes it.",
	counted: 15,
	async runs(rig) {
		await rig.service.addForms({ title: 'Form', count: 5_000 });
		const node = await timedNode(rig, formsNode, { expected: 5_000 });
		return {
			[NODE]: async () => {
				await rig.service.forgetRequests();
				return { ...(await node()), requests: (await rig.service.requests()).length };
			},
			'bare loop': await timedNode(rig, formsLoop, { expected: 5_000 }),
			[REQUEST]: await timedNode(rig, formsRequest(rig), { expected: 50 }),
		};
	},
	checks: ({ [NODE]: node, 'bare loop': loop, [REQUEST]: request }) => ({
		requests: [Math.max(...node.requests), '=50'],
		'vs bare loop': [ratio(node.ms, loop.ms), '≤0.9×'],
		'vs HTTP Request': [ratio(node.ms, request.ms), '≤0.45×'],
	}),
});

export const gets = rowOf({
	title: '1,000 responses',
	how: 'Response → Get with default settings, service latency 50 ms; peer: the HTTP Request node, which sends all requests at once.',
	counted: 7,
	async runs(rig) {
		await rig.service.settings({ latencyMs: 50 });
		const work = { ids: await addResponses(rig, 1_000), expected: 1_000 };
		const requestWithKey = getRequest(rig, 'formResponsesApi');
		return {
			'Form Responses, OAuth2': await timedNode(rig, getNode(), work),
			'HTTP Request, OAuth2': await timedNode(rig, getRequest(rig), work),
			'Form Responses, API key': await timedNode(rig, getNode('apiKey'), work),
			'HTTP Request, API key': await timedNode(rig, requestWithKey, work),
		};
	},
	checks(measured) {
		const vsRequest = (credential: 'OAuth2' | 'API key') =>
			ratio(measured[`${NODE}, ${credential}`].ms, measured[`${REQUEST}, ${credential}`].ms);
		return {
			'OAuth2, vs HTTP Request': [vsRequest('OAuth2'), '≤0.8×'],
			'API key, vs HTTP Request': [vsRequest('API key'), '≤0.85×'],
		};
	},
});

export const equalLabels = rowOf({
	title: '20,000 equal labels',
	how: 'Response → Get for one response whose answers all have the label `Name`, and become `Name`, `Name (2)` ….',
	counted: 7,
	async runs(rig) {
		const ids = await addResponses(rig, 1, Array<string>(20_000).fill('Name'));
		return { [NODE]: await timedNode(rig, getNode(), { ids, expected: 1 }) };
	},
	checks: ({ [NODE]: { ms } }) => ({ time: [median(ms), '≤100 ms'] }),
});

export const manyForms = rowOf({
	title: '50,000 forms',
	how: 'Form → Get Many with Return All. Peak heap: live objects after a full garbage collection, above those before the run, at 20 moments; the items alone are a copy of the JSON that goes in and comes out.',
	counted: 3,
	async runs(rig) {
		const few = { ...rig, ...(await rig.openService()) };
		await few.service.addForms({ title: 'Form', count: 5_000 });
		await rig.service.addForms({ title: 'Form', count: 50_000 });
		const all = { expected: 50_000 };
		return {
			'5,000 forms': await timedNode(few, formsNode, { expected: 5_000 }),
			'50,000 forms': await timedNode(rig, formsNode, all),
			'heap of 50,000 forms': await heapOfNode(rig, formsNode, all, 500),
		};
	},
	checks: ({ '5,000 forms': few, '50,000 forms': many, 'heap of 50,000 forms': heap }) => ({
		'time per form, vs 5,000': [ratio(many.ms, few.ms) / 10, '≤1.1×'],
		'peak heap, vs items': [ratio(heap['MB at the peak'], heap['MB alone']), '≤1.2×'],
	}),
});

export const manyItems = rowOf({
	title: '5,000 responses',
	how: 'As for 1,000 responses. Heap as for 50,000 forms, for responses of 100 answers; from 1,000 items on, because n8n itself holds some 10 MB for requests under way and before.',
	counted: 3,
	async runs(rig) {
		await rig.service.settings({ latencyMs: 50 });
		const work = { ids: await addResponses(rig, 5_000), expected: 5_000 };
		const large = { ...rig, ...(await rig.openService()) };
		const labels = Array.from({ length: 100 }, (_, index) => `Question ${index}`);
		const all = await addResponses(large, 5_000, labels);
		const heapOf = (count: number) =>
			heapOfNode(large, getNode(), { ids: all.slice(0, count), expected: count }, count);
		return {
			[NODE]: await timedNode(rig, getNode(), work),
			[REQUEST]: await timedNode(rig, getRequest(rig), work),
			'heap of 1,000 items': await heapOf(1_000),
			'heap of 5,000 items': await heapOf(5_000),
		};
	},
	checks({ 'heap of 1,000 items': few, 'heap of 5,000 items': many, ...times }) {
		const more = (what: keyof typeof many) => median(many[what]) - median(few[what]);
		return {
			'vs HTTP Request': [ratio(times[NODE].ms, times[REQUEST].ms), '≤0.8×'],
			'peak heap, vs items': [more('MB at the peak') / more('MB alone'), '≤1.2×'],
		};
	},
});
