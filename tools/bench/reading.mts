import { formsLoop, formsNode, formsRequest, getNode, getRequest } from './contestants.mts';
import { inWorkflow } from './in-workflow.mts';
import { median, ratio, type Row } from './row.mts';
import { addResponses } from './stage.mts';

const NODE = 'Form Responses';
const REQUEST = 'HTTP Request';

export const forms: Row = {
	title: '5,000 forms',
	how: "Form → Get Many with Return All, 50 pages of 100; peers: a bare loop over n8n's request helper, and the HTTP Request node with pagination. Time of the node as n8n notes it.",
	counted: 15,
	async runs(stage) {
		await stage.service.addForms({ title: 'Form', count: 5_000 });
		const node = await inWorkflow(stage, formsNode, { expected: 5_000 });
		return {
			[NODE]: async () => {
				await stage.service.forgetRequests();
				return { ...(await node()), requests: (await stage.service.requests()).length };
			},
			'bare loop': await inWorkflow(stage, formsLoop, { expected: 5_000 }),
			[REQUEST]: await inWorkflow(stage, formsRequest(stage), { expected: 50 }),
		};
	},
	checks: ({ [NODE]: node, 'bare loop': loop, [REQUEST]: request }) => [
		{ what: 'requests', value: Math.max(...node.requests), unit: '', bar: ['exactly', 50] },
		{ what: 'vs bare loop', value: ratio(node.ms, loop.ms), bar: ['at most', 0.9] },
		{ what: 'vs HTTP Request', value: ratio(node.ms, request.ms), bar: ['at most', 0.45] },
	],
};

export const gets: Row = {
	title: '1,000 responses',
	how: 'Response → Get with default settings, service latency 50 ms; peer: the HTTP Request node, which sends all requests at once.',
	counted: 7,
	async runs(stage) {
		await stage.service.settings({ latencyMs: 50 });
		const work = { ids: await addResponses(stage, 1_000), expected: 1_000 };
		const requestWithKey = getRequest(stage, 'formResponsesApi');
		return {
			'Form Responses, OAuth2': await inWorkflow(stage, getNode(), work),
			'HTTP Request, OAuth2': await inWorkflow(stage, getRequest(stage), work),
			'Form Responses, API key': await inWorkflow(stage, getNode('apiKey'), work),
			'HTTP Request, API key': await inWorkflow(stage, requestWithKey, work),
		};
	},
	checks: (measured) =>
		Object.entries({ OAuth2: 0.8, 'API key': 0.85 }).map(([credential, most]) => {
			const { ms } = measured[`${NODE}, ${credential}`];
			const value = ratio(ms, measured[`${REQUEST}, ${credential}`].ms);
			return { what: `${credential}, vs HTTP Request`, value, bar: ['at most', most] };
		}),
};

export const equalLabels: Row = {
	title: '20,000 equal labels',
	how: 'Response → Get for one response whose answers all have the label `Name`, and become `Name`, `Name (2)` …; peer: the HTTP Request node, which renames nothing.',
	counted: 7,
	async runs(stage) {
		const responseWith = async (labels: number) => {
			const ids = await addResponses(stage, 1, Array<string>(labels).fill('Name'));
			return { ids, expected: 1 };
		};
		const few = await responseWith(2_000);
		const many = await responseWith(20_000);
		return {
			'Form Responses, 2,000 labels': await inWorkflow(stage, getNode(), few),
			'Form Responses, 20,000 labels': await inWorkflow(stage, getNode(), many),
			'HTTP Request, 20,000 labels': await inWorkflow(stage, getRequest(stage), many),
		};
	},
	checks: ({ 'Form Responses, 20,000 labels': { ms } }) => [
		{ what: 'time', value: median(ms), unit: 'ms', bar: ['at most', 100] },
	],
};

export const manyForms: Row = {
	title: '50,000 forms',
	how: 'Form → Get Many with Return All. Peak heap: live objects after a full garbage collection, above those before the run, at 20 moments; the items alone are a copy of the JSON that goes in and comes out.',
	counted: 3,
	async runs(stage) {
		const few = { ...stage, ...(await stage.openService()) };
		await few.service.addForms({ title: 'Form', count: 5_000 });
		await stage.service.addForms({ title: 'Form', count: 50_000 });
		const all = { expected: 50_000 };
		return {
			'5,000 forms': await inWorkflow(few, formsNode, { expected: 5_000 }),
			'50,000 forms': await inWorkflow(stage, formsNode, all),
			'heap of 50,000 forms': await inWorkflow(stage, formsNode, { ...all, requests: 500 }),
		};
	},
	checks({ '5,000 forms': few, '50,000 forms': many, 'heap of 50,000 forms': heap }) {
		const growth = ratio(many.ms, few.ms) / 10;
		const peak = ratio(heap['MB at the peak'], heap['MB alone']);
		return [
			{ what: 'time per form, vs 5,000', value: growth, bar: ['at most', 1.1] },
			{ what: 'peak heap, vs items', value: peak, bar: ['at most', 1.2] },
		];
	},
};

export const manyItems: Row = {
	title: '5,000 responses',
	how: 'As for 1,000 responses. Heap as for 50,000 forms, for responses of 100 answers; from 1,000 items on, because n8n itself holds some 10 MB for requests under way and before.',
	counted: 3,
	async runs(stage) {
		await stage.service.settings({ latencyMs: 50 });
		const work = { ids: await addResponses(stage, 5_000), expected: 5_000 };
		const large = { ...stage, ...(await stage.openService()) };
		const labels = Array.from({ length: 100 }, (_, index) => `Question ${index}`);
		const all = await addResponses(large, 5_000, labels);
		const heapOf = (count: number) =>
			inWorkflow(large, getNode(), { ids: all.slice(0, count), expected: count, requests: count });
		return {
			[NODE]: await inWorkflow(stage, getNode(), work),
			[REQUEST]: await inWorkflow(stage, getRequest(stage), work),
			'heap of 1,000 items': await heapOf(1_000),
			'heap of 5,000 items': await heapOf(5_000),
		};
	},
	checks({ 'heap of 1,000 items': few, 'heap of 5,000 items': many, ...times }) {
		const more = (what: string) => median(many[what]) - median(few[what]);
		const value = more('MB at the peak') / more('MB alone');
		const time = ratio(times[NODE].ms, times[REQUEST].ms);
		return [
			{ what: 'vs HTTP Request', value: time, bar: ['at most', 0.8] },
			{ what: 'peak heap, vs items', value, bar: ['at most', 1.2] },
		];
	},
};
