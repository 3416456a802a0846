import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import type { Result } from './row.mts';

/** Each ratio as a bar, with a line where it has to end or begin. */
export async function plotRatios(results: Result[]): Promise<string> {
	const values = results.flatMap(({ row, checks }) =>
		checks
			.filter(({ unit }) => unit === undefined)
			.map(({ what, value, bar }) => ({ name: `${row.title}: ${what}`, value, [bar[0]]: bar[1] })),
	);
	const y = { field: 'name', type: 'nominal', sort: null, title: null, axis: { labelLimit: 600 } };
	const limit = (field: string, color: string) => ({
		mark: { type: 'tick', thickness: 3, color },
		encoding: { x: { field, type: 'quantitative' } },
	});
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
			limit('at most', '#1f3a63'),
			limit('at least', '#2e7d32'),
		],
	} as TopLevelSpec;
	return await new View(parse(compile(spec).spec), { renderer: 'none' }).toSVG();
}
