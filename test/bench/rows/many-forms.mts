import { heapOfForms } from '../contestants/in-engine.mts';
import { formReaders } from '../contestants/read-forms.mts';
import { interleave } from '../interleave.mts';
import { measuresOf, ratio } from '../measures.mts';
import type { Row } from '../row.mts';

const [FEW, MANY] = [5_000, 50_000];
const MEGABYTE = 1e6;

export const manyForms: Row = async ({ stage: open, isQuick, show }) => {
	const stage = await open();
	const { service } = stage;
	const readers = await formReaders(stage);
	const times: Record<number, number[]> = {};
	for (const forms of [FEW, MANY]) {
		await service.reset();
		await service.addForms({ title: 'Form', count: forms });
		const values = await interleave(
			{ 'Form Responses': () => readers.node(forms) },
			{ runs: isQuick ? 1 : 5, show: (progress) => show(`${forms} forms, ${progress} ms`) },
		);
		times[forms] = values['Form Responses'];
	}

	const [peak, ofItems]: [number[], number[]] = [[], []];
	for (let run = 0; run < (isQuick ? 1 : 2); run++) {
		const heap = await heapOfForms(stage, MANY);
		peak.push(heap.peak / MEGABYTE);
		ofItems.push(heap.ofItems / MEGABYTE);
		show(`peak ${peak[run].toFixed(2)} MB, items ${ofItems[run].toFixed(2)} MB`);
	}
	return {
		title: 'All of 50,000 forms',
		how: "Form → Get Many with Return All. Heap in n8n's engine alone, in a process of its own: live objects after a full garbage collection, at 50 moments of the run and at its end, above what was used before; the items alone are a copy of the result.",
		measures: [
			...measuresOf({ '5,000 forms': times[FEW], '50,000 forms': times[MANY] }, 'ms'),
			...measuresOf({ 'peak of live objects': peak, 'the items alone': ofItems }, 'MB'),
		],
		checks: [
			{
				what: 'time, of ten times that of 5,000',
				value: ratio(times[MANY], times[FEW]) / (MANY / FEW),
				unit: '×',
				bar: { atMost: 1.1 },
			},
			{
				what: 'peak heap, of the items alone',
				value: ratio(peak, ofItems),
				unit: '×',
				bar: { atMost: 1.2 },
			},
		],
	};
};
