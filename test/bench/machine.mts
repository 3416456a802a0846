import { readFileSync } from 'node:fs';
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../../playground/n8n/build.mts';
import { n8nLocation } from '../../playground/n8n/location.mts';

export interface Machine {
	cores: number;
	processor: string;
	memoryGB: number;
	system: string;
	versions: Record<string, string>;
}

const versionIn = (folder: string) =>
	(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }).version;

export function describeMachine(): Machine {
	const modules = join(n8nLocation().folder, 'node_modules');
	return {
		cores: availableParallelism(),
		processor: cpus()[0]?.model.trim() || 'unknown',
		memoryGB: Math.round(totalmem() / 2 ** 30),
		system: `${type()} ${release().split('-')[0]}, ${process.arch}`,
		versions: {
			'n8n-nodes-form-responses': versionIn(packageRoot),
			n8n: versionIn(join(modules, 'n8n')),
			'n8n-core': versionIn(join(modules, 'n8n-core')),
			'n8n-nodes-base': versionIn(join(modules, 'n8n-nodes-base')),
			'Node.js': process.versions.node,
		},
	};
}
