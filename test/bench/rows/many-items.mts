import { nodeGetter, requestGetter, timeOfAll } from '../contestants/get-responses.mts';
import { heapOfGets } from '../contestants/in-engine.mts';
import { interleave } from '../interleave.mts';
import { measuresOf } from '../measures.mts';
import type { Growth, Row } from '../row.mts';
import { summarize } from '../statistics.mts';

const SIZES = [10, 100, 1_000, 5_000];
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
	let largest: Record<string, number[]> = {};

	for (const size of SIZES) {
		const ids = all.slice(0, size);
		await service.settings({ latencyMs: 50 });
		largest = await interleave(
			{
				'Form Responses, default (20)': () => timeOfAll(standard, ids),
				'HTTP Request, all at once': () => timeOfAll(request, ids),
			},
			{ runs: isQuick ? 1 : 5, show: (progress) => show(`${size} items, ${progress} ms`) },
		);
		for (const [name, values] of Object.entries(largest)) {
			time.push({ name, x: size, ...summarize(values) });
		}

		await service.settings({ latencyMs: 0 });
		const peaks: number[] = [];
		const own: number[] = [];
		for (let run = 0; run < (isQuick ? 1 : 5); run++) {
			const outcome = await heapOfGets(stage, ids);
			peaks.push(outcome.peak / MEGABYTE);
			own.push(outcome.ofItems / MEGABYTE);
		}
		show(`${size} items: ${peaks.at(-1)!.toFixed(2)} MB, items ${own.at(-1)!.toFixed(2)} MB`);
		heap.push({ name: 'Form Responses, peak', x: size, ...summarize(peaks) });
		heap.push({ name: 'the items alone', x: size, ...summarize(own) });
	}
	return {
		title: '5,000 responses by ID, service latency 50 ms',
		how: 'Response → Get with default settings, and how its time and heap grow with the number of items. No bar.',
		measures: measuresOf(largest, 'ms'),
		checks: [],
		growth: [
			{ id: 'items-time', title: 'Responses by ID', x: 'items', y: 'ms', points: time },
			{ id: 'items-heap', title: 'Responses by ID', x: 'items', y: 'MB of heap', points: heap },
		],
	};
};
