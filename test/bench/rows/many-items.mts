import { nodeGetter, requestGetter, timeOfAll } from '../contestants/get-responses.mts';
import { heapOfGets } from '../contestants/in-engine.mts';
import { interleave } from '../interleave.mts';
import { measuresOf, ratio } from '../measures.mts';
import type { Check, Growth, Measure, Row } from '../row.mts';
import { summarize } from '../statistics.mts';

const SIZES = [100, 1_000, 5_000];
const MEGABYTE = 1e6;

export const manyItems: Row = async ({ stage: open, isQuick, show }) => {
	const stage = await open();
	const { service } = stage;
	await service.reset();
	const all = (await service.addResponses(SIZES.at(-1)!)).map(({ data }) => data.responseId);
	const standard = await nodeGetter(stage, 'oAuth2');
	const request = await requestGetter(stage, 'oAuth2');
	const time: Growth['points'] = [];
	const heap: Growth['points'] = [];
	let checks: Check[] = [];
	let measures: Measure[] = [];

	for (const size of SIZES) {
		const ids = all.slice(0, size);
		await service.settings({ latencyMs: 50 });
		const values = await interleave(
			{
				'Form Responses': () => timeOfAll(standard, ids),
				'HTTP Request': () => timeOfAll(request, ids),
			},
			{ runs: isQuick ? 1 : 3, show: (progress) => show(`${size} items, ${progress} ms`) },
		);
		for (const [name, all] of Object.entries(values)) {
			time.push({ name, x: size, ...summarize(all) });
		}

		await service.settings({ latencyMs: 0 });
		const peaks: number[] = [];
		const own: number[] = [];
		for (let run = 0; run < (isQuick ? 1 : 2); run++) {
			const outcome = await heapOfGets(stage, ids);
			peaks.push(outcome.peak / MEGABYTE);
			own.push(outcome.ofItems / MEGABYTE);
		}
		show(`${size} items: ${peaks.at(-1)!.toFixed(2)} MB, items ${own.at(-1)!.toFixed(2)} MB`);
		heap.push({ name: 'Form Responses, peak', x: size, ...summarize(peaks) });
		heap.push({ name: 'the items alone', x: size, ...summarize(own) });
		measures = [
			...measuresOf(values, 'ms'),
			...measuresOf({ 'peak of live objects': peaks, 'the items alone': own }, 'MB'),
		];
		checks = [
			{
				what: 'time, of HTTP Request',
				value: ratio(values['Form Responses'], values['HTTP Request']),
				unit: '×',
				bar: { atMost: 0.85 },
			},
			{
				what: 'peak heap, of the items alone',
				value: ratio(peaks, own),
				unit: '×',
				bar: { atMost: 2 },
			},
		];
	}
	return {
		title: '5,000 responses by ID, service latency 50 ms',
		how: 'Response → Get with default settings, against the HTTP Request node with the same OAuth2 credential, and how time and heap grow with the number of items. Heap as in the row above.',
		measures,
		checks,
		growth: [
			{ id: 'items-time', title: 'Responses by ID', x: 'items', y: 'ms', points: time },
			{ id: 'items-heap', title: 'Responses by ID', x: 'items', y: 'MB of heap', points: heap },
		],
	};
};
