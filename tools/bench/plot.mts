import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { partsOf } from './report.mts';
import type { Check } from './row.mts';

const COLORS = { '≤': '#1f3a63', '≥': '#2e7d32' };

/** Each ratio as a bar, with a line where it has to end or begin. */
export async function plotRatios(checks: Check[]): Promise<string> {
	const values = checks
		.filter(({ bar }) => bar.endsWith('×'))
		.map(({ row, what, value, bar }) => {
			const { sign, than } = partsOf(bar);
			return { name: `${row}: ${what}`, value, [sign]: than };
		});
	const y = { field: 'name', type: 'nominal', sort: null, title: null, axis: { labelLimit: 600 } };
	const spec = {
		background: 'white',
		padding: 12,
		title: 'Multiples of a peer or a limit; dark line: at most, green line: at least',
		width: 400,
		height: { step: 22 },
		data: { values },
		encoding: { y },
		layer: [
			{
				mark: { type: 'bar', height: { band: 0.6 }, color: '#7b9fd4' },
				encoding: { x: { field: 'value', type: 'quantitative', title: '×' } },
			},
			...Object.entries(COLORS).map(([field, color]) => ({
				mark: { type: 'tick', thickness: 3, color },
				encoding: { x: { field, type: 'quantitative' } },
			})),
		],
	} as TopLevelSpec;
	return await new View(parse(compile(spec).spec), { renderer: 'none' }).toSVG();
}
