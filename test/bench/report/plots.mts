import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, View } from 'vega';
import { compile } from 'vega-lite';
import type { TopLevelSpec } from 'vega-lite';
import { packageRoot } from '../../../playground/n8n/build.mts';
import type { Growth, RowResult } from '../row.mts';

const folder = join(packageRoot, 'docs/images');
const look: Partial<TopLevelSpec> = {
	$schema: 'https://vega.github.io/schema/vega-lite/v6.json',
	background: 'white',
	padding: 12,
};
const range = 'median, least to most';

function barsOf({ title, measures }: RowResult): TopLevelSpec {
	const values = measures.map(({ name, median, min, max }) => ({ name, median, min, max }));
	const y = { field: 'name', type: 'nominal', sort: null, title: null, axis: { labelLimit: 400 } };
	return {
		...look,
		title: { text: title, subtitle: range, anchor: 'start' },
		width: 480,
		height: { step: 26 },
		data: { values },
		encoding: { y },
		layer: [
			{
				mark: { type: 'bar', height: { band: 0.6 }, color: '#7b9fd4' },
				encoding: { x: { field: 'median', type: 'quantitative', title: measures[0].unit } },
			},
			{
				mark: { type: 'rule', strokeWidth: 2, color: '#1f3a63' },
				encoding: { x: { field: 'min', type: 'quantitative' }, x2: { field: 'max' } },
			},
		],
	} as TopLevelSpec;
}

function linesOf({ title, x, y, points }: Growth): TopLevelSpec {
	const scale = { type: 'log' };
	const color = { field: 'name', type: 'nominal', sort: null, title: null };
	const across = { field: 'x', type: 'quantitative', scale, title: x };
	return {
		...look,
		title: { text: `${title}: ${y} by number of ${x}`, subtitle: range, anchor: 'start' },
		width: 480,
		height: 300,
		data: { values: points },
		encoding: { x: across, color: { ...color, legend: { orient: 'bottom', labelLimit: 300 } } },
		layer: [
			{
				mark: { type: 'line', point: true },
				encoding: { y: { field: 'median', type: 'quantitative', scale, title: y } },
			},
			{
				mark: { type: 'rule', strokeWidth: 2 },
				encoding: { y: { field: 'min', type: 'quantitative' }, y2: { field: 'max' } },
			},
		],
	} as TopLevelSpec;
}

async function draw(name: string, spec: TopLevelSpec): Promise<string> {
	const view = new View(parse(compile(spec).spec), { renderer: 'none' });
	const file = `bench-${name}.svg`;
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, file), `${await view.toSVG()}\n`);
	view.finalize();
	return `images/${file}`;
}

/** Those of rows that are gone would stay otherwise. */
export function removePlots() {
	for (const file of globSync(join(folder, 'bench-*.svg'))) rmSync(file);
}

/** Draws a row; gives the plots' addresses as seen from docs. */
export async function drawRow(id: string, row: RowResult): Promise<Map<string, string>> {
	const plots = new Map<string, string>();
	for (const growth of row.growth ?? []) {
		plots.set(
			`${growth.title}: ${growth.y} by number of ${growth.x}`,
			await draw(growth.id, linesOf(growth)),
		);
	}
	const hasOneUnit = new Set(row.measures.map(({ unit }) => unit)).size === 1;
	if (hasOneUnit && row.growth === undefined) plots.set(row.title, await draw(id, barsOf(row)));
	return plots;
}
