import { nodeGetter, requestGetter, timeOfAll } from '../contestants/get-responses.mts';
import { interleave } from '../interleave.mts';
import { measuresOf, ratio } from '../measures.mts';
import type { Row } from '../row.mts';
import { addResponses } from '../stage/service.mts';

const RESPONSES = 1_000;
const LATENCY_MS = 50;

export const gets: Row = async ({ stage: open, isQuick, show }) => {
	const stage = await open();
	const { service } = stage;
	await service.reset();
	await service.settings({ latencyMs: LATENCY_MS });
	const ids = (await addResponses(service, RESPONSES)).map(({ data }) => data.responseId);
	const node = await nodeGetter(stage, 'oAuth2');
	const request = await requestGetter(stage, 'oAuth2');
	const nodeWithKey = await nodeGetter(stage, 'apiKey');
	const requestWithKey = await requestGetter(stage, 'apiKey');
	const values = await interleave(
		{
			'Form Responses, OAuth2': () => timeOfAll(node, ids),
			'HTTP Request, OAuth2': () => timeOfAll(request, ids),
			'Form Responses, API key': () => timeOfAll(nodeWithKey, ids),
			'HTTP Request, API key': () => timeOfAll(requestWithKey, ids),
		},
		{ runs: isQuick ? 2 : 7, show },
	);
	return {
		title: '1,000 responses by ID, service latency 50 ms',
		how: 'Response → Get for 1,000 items with default settings, against the HTTP Request node with the same credential, which sends all requests at once.',
		measures: measuresOf(values, 'ms'),
		checks: [
			{
				what: 'OAuth2: of HTTP Request',
				value: ratio(values['Form Responses, OAuth2'], values['HTTP Request, OAuth2']),
				unit: '×',
				bar: { atMost: 0.8 },
			},
			{
				what: 'API key: of HTTP Request',
				value: ratio(values['Form Responses, API key'], values['HTTP Request, API key']),
				unit: '×',
				bar: { atMost: 0.8 },
			},
		],
	};
};
