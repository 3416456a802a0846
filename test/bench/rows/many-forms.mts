import { heapOfForms } from '../contestants/in-engine.mts';
import { formReaders } from '../contestants/read-forms.mts';
import { interleave } from '../interleave.mts';
import { measuresOf } from '../measures.mts';
import type { Growth, Row } from '../row.mts';
import { growthExponent, median, summarize } from '../statistics.mts';

const SIZES = [100, 1_000, 5_000, 50_000];
const MEGABYTE = 1e6;

export const manyForms: Row = async ({ stage: open, isQuick, show }) => {
	const stage = await open();
	const { service } = stage;
	const readers = await formReaders(stage);
	const runs = isQuick ? 1 : 5;
	const times = new Map<number, number[]>();
	const time: Growth['points'] = [];
	const heap: Growth['points'] = [];
	const heaps: Record<string, number[]> = {};

	for (const forms of SIZES) {
		await service.reset();
		await service.addForms({ title: 'Form', count: forms });
		const values = await interleave(
			{
				'Form Responses': () => readers.node(forms),
				'bare loop': () => readers.loop(forms),
				'HTTP Request': () => readers.request(forms),
			},
			{ runs, show: (progress) => show(`${forms} forms, ${progress} ms`) },
		);
		times.set(forms, values['Form Responses']);
		for (const [name, all] of Object.entries(values)) {
			time.push({ name, x: forms, ...summarize(all) });
		}

		const peaks: number[] = [];
		const own: number[] = [];
		const withGarbage: number[] = [];
		for (let run = 0; run < (isQuick ? 1 : 2); run++) {
			const outcome = await heapOfForms(stage, forms);
			peaks.push(outcome.peak / MEGABYTE);
			own.push(outcome.ofItems / MEGABYTE);
			withGarbage.push(outcome.peakWithGarbage / MEGABYTE);
		}
		show(`${forms} forms: ${median(peaks).toFixed(2)} MB, items ${median(own).toFixed(2)} MB`);
		heap.push({ name: 'Form Responses, peak', x: forms, ...summarize(peaks) });
		heap.push({ name: 'the items alone', x: forms, ...summarize(own) });
		if (forms === SIZES.at(-1)) {
			heaps['peak of live objects'] = peaks;
			heaps['the items alone'] = own;
			heaps['peak, garbage included'] = withGarbage;
			const loop = await heapOfForms(stage, forms, true);
			heaps['bare loop: peak of live objects'] = [loop.peak / MEGABYTE];
			heaps['bare loop: peak, garbage included'] = [loop.peakWithGarbage / MEGABYTE];
		}
	}

	const largest = times.get(50_000)!;
	const fitted = [...times].filter(([forms]) => forms >= 1_000);
	const exponent = growthExponent(fitted.map(([x, all]) => ({ x, y: median(all) })));
	return {
		title: 'All of 50,000 forms',
		how: `Form → Get Many with Return All. Time in n8n; from 1,000 forms on it grows with the power ${exponent.toFixed(2)} of their number. Heap in n8n's engine alone, in a process of its own: live objects after a full garbage collection, at 50 moments of the run and at its end, above what was used before; the items alone are a copy of the result.`,
		measures: [...measuresOf({ 'Form Responses': largest }, 'ms'), ...measuresOf(heaps, 'MB')],
		checks: [
			{
				what: 'time, of ten times that of 5,000 forms',
				value: median(largest) / (10 * median(times.get(5_000)!)),
				unit: '×',
				bar: { atMost: 1.1 },
			},
			{
				what: 'peak heap, of the items alone',
				value: median(heaps['peak of live objects']) / median(heaps['the items alone']),
				unit: '×',
				bar: { atMost: 1.2 },
			},
		],
		growth: [
			{ id: 'forms-time', title: 'Reading all forms', x: 'forms', y: 'ms', points: time },
			{ id: 'forms-heap', title: 'Reading all forms', x: 'forms', y: 'MB of heap', points: heap },
		],
	};
};
