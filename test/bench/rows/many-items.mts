import { nodeGetter, requestGetter, timeOfAll } from '../contestants/get-responses.mts';
import { heapOfGets } from '../contestants/in-engine.mts';
import { interleave } from '../interleave.mts';
import { measuresOf, ratio } from '../measures.mts';
import type { Growth, Row } from '../row.mts';
import { median, summarize } from '../statistics.mts';
import { addResponses } from '../stage/service.mts';

const SIZES = [100, 1_000, 5_000];
const MEGABYTE = 1e6;

export const manyItems: Row = async ({ stage: open, isQuick, show }) => {
	const stage = await open();
	const { service } = stage;
	await service.reset();
	const all = (await addResponses(service, SIZES.at(-1)!)).map(({ data }) => data.responseId);
	const standard = await nodeGetter(stage, 'oAuth2');
	const request = await requestGetter(stage, 'oAuth2');
	const time: Growth['points'] = [];
	const peaks: Growth['points'] = [];
	const itemsAlone: Growth['points'] = [];
	let largest: Record<string, number[]> = {};
	let heaps: Record<string, number[]> = {};

	for (const size of SIZES) {
		const ids = all.slice(0, size);
		await service.settings({ latencyMs: 50 });
		largest = await interleave(
			{
				'Form Responses': () => timeOfAll(standard, ids),
				'HTTP Request': () => timeOfAll(request, ids),
			},
			{ runs: isQuick ? 1 : 3, show: (progress) => show(`${size} items, ${progress} ms`) },
		);
		for (const [name, all] of Object.entries(largest)) {
			time.push({ name, x: size, ...summarize(all) });
		}

		await service.settings({ latencyMs: 0 });
		const peakRuns: number[] = [];
		const ownRuns: number[] = [];
		for (let run = 0; run < (isQuick ? 1 : 2); run++) {
			const outcome = await heapOfGets(stage, ids);
			peakRuns.push(outcome.peak / MEGABYTE);
			ownRuns.push(outcome.ofItems / MEGABYTE);
		}
		show(
			`${size} items: ${median(peakRuns).toFixed(2)} MB, items ${median(ownRuns).toFixed(2)} MB`,
		);
		peaks.push({ name: 'Form Responses, peak', x: size, ...summarize(peakRuns) });
		heaps = { 'peak of live objects': peakRuns, 'the items alone': ownRuns };
		itemsAlone.push({ name: 'the items alone', x: size, ...summarize(ownRuns) });
	}
	const [fewer, most] = peaks.slice(-2);
	const [fewerAlone, mostAlone] = itemsAlone.slice(-2);
	return {
		title: '5,000 responses by ID, service latency 50 ms',
		how: 'Response → Get with default settings, against the HTTP Request node with the same OAuth2 credential, and how time and heap grow with the number of items. Heap as in the row above, with the items that come in among the items alone; from 1,000 items on, where 50 requests are under way.',
		measures: [...measuresOf(largest, 'ms'), ...measuresOf(heaps, 'MB')],
		checks: [
			{
				what: 'time, of HTTP Request',
				value: ratio(largest['Form Responses'], largest['HTTP Request']),
				unit: '×',
				bar: { atMost: 0.8 },
			},
			{
				what: 'peak heap from 1,000 items on, of the items alone',
				value: (most.median - fewer.median) / (mostAlone.median - fewerAlone.median),
				unit: '×',
				bar: { atMost: 1.2 },
			},
		],
		growth: [
			{ id: 'items-time', title: 'Responses by ID', x: 'items', y: 'ms', points: time },
			{
				id: 'items-heap',
				title: 'Responses by ID',
				x: 'items',
				y: 'MB of heap',
				points: [...peaks, ...itemsAlone],
			},
		],
	};
};
