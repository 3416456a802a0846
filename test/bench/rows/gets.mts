import { nodeGetter, requestGetter, timeOfAll } from '../contestants/get-responses.mts';
import { interleave } from '../interleave.mts';
import type { Runner } from '../interleave.mts';
import { measuresOf, ratio } from '../measures.mts';
import type { Row } from '../row.mts';

const RESPONSES = 1_000;
const LATENCY_MS = 50;

export const gets: Row = async ({ stage: open, isQuick, show }) => {
	const stage = await open();
	const { service } = stage;
	await service.reset();
	await service.settings({ latencyMs: LATENCY_MS });
	const ids = (await service.addResponses(RESPONSES)).map(({ data }) => data.responseId);
	const fast = { maxConcurrency: 50 };
	const getters = {
		'Form Responses, 50 at once': await nodeGetter(stage, 'oAuth2', fast),
		'Form Responses, default (20)': await nodeGetter(stage, 'oAuth2'),
		'HTTP Request, all at once': await requestGetter(stage, 'oAuth2'),
		'Form Responses, API key, 50 at once': await nodeGetter(stage, 'apiKey', fast),
		'Form Responses, API key, default (20)': await nodeGetter(stage, 'apiKey'),
		'HTTP Request, API key, all at once': await requestGetter(stage, 'apiKey'),
		'HTTP Request, key as a header, all at once': await requestGetter(stage, 'header'),
	};
	const contestants = Object.entries(getters).map(([name, get]): [string, Runner] => [
		name,
		() => timeOfAll(get, ids),
	]);
	const values = (await interleave(Object.fromEntries(contestants), {
		runs: isQuick ? 2 : 7,
		show,
	})) as Record<keyof typeof getters, number[]>;

	const peers = {
		'HTTP Request': values['HTTP Request, all at once'],
		'HTTP Request, API key': values['HTTP Request, API key, all at once'],
		'HTTP Request, key as a header': values['HTTP Request, key as a header, all at once'],
	};
	const check = (ours: keyof typeof getters, peer: keyof typeof peers, atMost: number) => ({
		what: `${ours.replace('Form Responses, ', '')}: of ${peer}`,
		value: ratio(values[ours], peers[peer]),
		unit: '×',
		bar: { atMost },
	});
	return {
		title: '1,000 responses by ID, service latency 50 ms',
		how: 'Response → Get for 1,000 items, against the HTTP Request node, which sends all requests at once; with the same OAuth2 credential unless another is named.',
		measures: measuresOf(values, 'ms'),
		checks: [
			check('Form Responses, 50 at once', 'HTTP Request', 1.15),
			check('Form Responses, default (20)', 'HTTP Request', 1.6),
			check('Form Responses, API key, 50 at once', 'HTTP Request, API key', 1.15),
			check('Form Responses, API key, default (20)', 'HTTP Request, API key', 1.6),
			check('Form Responses, 50 at once', 'HTTP Request, key as a header', 1.15),
			check('Form Responses, default (20)', 'HTTP Request, key as a header', 1.6),
		],
	};
};
