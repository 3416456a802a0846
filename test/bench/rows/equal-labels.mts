import { nodeGetter, requestGetter, timeOfAll } from '../contestants/get-responses.mts';
import { interleave } from '../interleave.mts';
import { measuresOf } from '../measures.mts';
import type { Row } from '../row.mts';
import { median } from '../statistics.mts';
import { addResponses } from '../stage/service.mts';

const LABELS = { few: 2_000, many: 20_000 };

export const equalLabels: Row = async ({ stage: open, isQuick, show }) => {
	const stage = await open();
	const { service } = stage;
	await service.reset();
	await service.settings({ latencyMs: 0 });
	const responseWith = async (count: number) =>
		(await addResponses(service, 1, Array<string>(count).fill('Name'))).map(
			({ data }) => data.responseId,
		);
	const few = await responseWith(LABELS.few);
	const many = await responseWith(LABELS.many);
	const node = await nodeGetter(stage, 'oAuth2');
	const request = await requestGetter(stage, 'oAuth2');
	const values = await interleave(
		{
			'Form Responses, 2,000 labels': () => timeOfAll(node, few),
			'Form Responses, 20,000 labels': () => timeOfAll(node, many),
			'HTTP Request, 20,000 labels': () => timeOfAll(request, many),
		},
		{ runs: isQuick ? 2 : 7, show },
	);
	return {
		title: 'A response of 20,000 equal labels',
		how: 'Response → Get for one response whose answers all have the label `Name`, and become `Name`, `Name (2)`, `Name (3)` …; against the HTTP Request node, which gives them as they are, with the same OAuth2 credential; reading the response included.',
		measures: measuresOf(values, 'ms'),
		checks: [
			{
				what: '20,000 labels',
				value: median(values['Form Responses, 20,000 labels']),
				unit: 'ms',
				bar: { atMost: 100 },
			},
		],
	};
};
