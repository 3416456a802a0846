import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packageRoot } from '../../../playground/n8n/build.mts';
import { n8nLocation } from '../../../playground/n8n/location.mts';
import { interleave } from '../interleave.mts';
import { measuresOf } from '../measures.mts';
import type { Row } from '../row.mts';
import { median } from '../statistics.mts';

const loadTime = resolve(import.meta.dirname, '../engine/load-time.mts');

function unpackedSize(): number {
	const packed = execFileSync('npm', ['pack', '--dry-run', '--json'], {
		cwd: packageRoot,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
	});
	// npm 12 gives the packages by name, earlier ones as a list.
	const [own] = Object.values(JSON.parse(packed) as Record<string, { unpackedSize: number }>);
	return own.unpackedSize;
}

export const packageRow: Row = async ({ stage: open, isQuick, show }) => {
	const { packageFolder } = await open();
	const { folder, node } = n8nLocation();
	const modules = join(folder, 'node_modules');
	const own = join(packageFolder, 'dist/nodes/FormResponses');
	const base = join(modules, 'n8n-nodes-base/dist/nodes');
	const manifest = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
		dependencies?: Record<string, string>;
	};

	const loading =
		(...files: string[]) =>
		async () =>
			Number(
				execFileSync(node, [loadTime, folder, ...files], {
					env: { PATH: process.env.PATH, NODE_PATH: modules },
					encoding: 'utf8',
				}),
			);
	const values = await interleave(
		{
			'both nodes': loading(
				join(own, 'FormResponses.node.js'),
				join(own, 'FormResponsesTrigger.node.js'),
			),
			'Typeform Trigger': loading(join(base, 'Typeform/TypeformTrigger.node.js')),
			'JotForm Trigger': loading(join(base, 'JotForm/JotFormTrigger.node.js')),
			'SurveyMonkey Trigger': loading(join(base, 'SurveyMonkey/SurveyMonkeyTrigger.node.js')),
		},
		{ runs: isQuick ? 5 : 15, show },
	);
	const kilobytes = unpackedSize() / 1_000;
	return {
		title: 'The package',
		how: "What would be published, as npm counts it; and the time to load both nodes in a new process in which n8n-workflow is loaded, against nodes of n8n's own.",
		measures: measuresOf(values, 'ms'),
		checks: [
			{ what: 'unpacked', value: kilobytes, unit: 'kB', bar: { atMost: 150 } },
			{
				what: 'loading both nodes',
				value: median(values['both nodes']),
				unit: 'ms',
				bar: { atMost: 15 },
			},
			{
				what: 'dependencies',
				value: Object.keys(manifest.dependencies ?? {}).length,
				unit: '',
				bar: { exactly: 0 },
			},
		],
	};
};
