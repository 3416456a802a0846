import { writeFileSync } from 'node:fs';
import { parse, View } from 'vega';
import { compile } from 'vega-lite';
import type { TopLevelSpec } from 'vega-lite';
import type { RowResult } from '../row.mts';

function specOf(rows: RowResult[]): TopLevelSpec {
	const values = rows.flatMap(({ title, checks }) =>
		checks
			.filter(({ unit }) => unit === '×')
			.map(({ what, value, bar }) => ({
				name: `${title}: ${what}`,
				value,
				[Object.keys(bar)[0]]: Object.values(bar)[0],
			})),
	);
	const y = {
		field: 'name',
		type: 'nominal',
		sort: null,
		title: null,
		axis: { labelLimit: 600 },
	};
	const limit = (field: string, color: string) => ({
		mark: { type: 'tick', thickness: 3, color },
		encoding: { x: { field, type: 'quantitative' } },
	});
	return {
		$schema: 'https://vega.github.io/schema/vega-lite/v6.json',
		background: 'white',
		padding: 12,
		title: {
			text: 'What is measured, as a multiple of a peer or a limit',
			subtitle: 'dark line: at most; green line: at least',
			anchor: 'start',
		},
		width: 400,
		height: { step: 22 },
		data: { values },
		encoding: { y },
		layer: [
			{
				mark: { type: 'bar', height: { band: 0.6 }, color: '#7b9fd4' },
				encoding: { x: { field: 'value', type: 'quantitative', title: '×' } },
			},
			limit('atMost', '#1f3a63'),
			limit('atLeast', '#2e7d32'),
		],
	} as TopLevelSpec;
}

export async function drawRatios(rows: RowResult[], path: string) {
	const view = new View(parse(compile(specOf(rows)).spec), { renderer: 'none' });
	writeFileSync(path, `${await view.toSVG()}\n`);
	view.finalize();
}
