import { nodeGetter, requestGetter, timeOfAll } from '../contestants/get-responses.mts';
import { heapOfGets } from '../contestants/in-engine.mts';
import { interleave } from '../interleave.mts';
import { measuresOf, ratio } from '../measures.mts';
import type { Row } from '../row.mts';
import { median } from '../statistics.mts';
import { addResponses } from '../stage/service.mts';

const [FEW, MANY] = [1_000, 5_000];
const MEGABYTE = 1e6;

export const manyItems: Row = async ({ stage: open, isQuick, show }) => {
	const stage = await open();
	const { service } = stage;
	await service.reset();
	const ids = (await addResponses(service, MANY)).map(({ data }) => data.responseId);
	const standard = await nodeGetter(stage, 'oAuth2');
	const request = await requestGetter(stage, 'oAuth2');
	await service.settings({ latencyMs: 50 });
	const times = await interleave(
		{
			'Form Responses': () => timeOfAll(standard, ids),
			'HTTP Request': () => timeOfAll(request, ids),
		},
		{ runs: isQuick ? 1 : 3, show: (progress) => show(`${progress} ms`) },
	);

	await service.settings({ latencyMs: 0 });
	const heaps: Record<string, number[]> = {};
	for (const size of [FEW, MANY]) {
		for (let run = 0; run < (isQuick ? 1 : 2); run++) {
			const { peak, ofItems } = await heapOfGets(stage, ids.slice(0, size));
			(heaps[`${size} items: peak of live objects`] ??= []).push(peak / MEGABYTE);
			(heaps[`${size} items: the items alone`] ??= []).push(ofItems / MEGABYTE);
			show(`${size} items: ${(peak / MEGABYTE).toFixed(2)} MB`);
		}
	}
	const [fewPeak, fewAlone, manyPeak, manyAlone] = Object.values(heaps).map(median);
	return {
		title: '5,000 responses by ID, service latency 50 ms',
		how: 'Response → Get with default settings, against the HTTP Request node with the same OAuth2 credential. Heap as in the row above, with the items that come in among the items alone; from 1,000 items on, where 50 requests are under way.',
		measures: [...measuresOf(times, 'ms'), ...measuresOf(heaps, 'MB')],
		checks: [
			{
				what: 'time, of HTTP Request',
				value: ratio(times['Form Responses'], times['HTTP Request']),
				unit: '×',
				bar: { atMost: 0.8 },
			},
			{
				what: 'peak heap from 1,000 items on, of the items alone',
				value: (manyPeak - fewPeak) / (manyAlone - fewAlone),
				unit: '×',
				bar: { atMost: 1.2 },
			},
		],
	};
};
