// `npm run mutate -- PART`: changes the code in one place after the other, and tells which change no test notices.
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const stryker = join(root, 'node_modules', '@stryker-mutator/core/bin/stryker.js');
const trigger = (name: string) => `nodes/FormResponses/trigger/${name}.ts`;

const parts: Record<string, string[]> = {
	actions: [
		'nodes/FormResponses/{actions,methods}/**/*.ts',
		'nodes/FormResponses/!(*.node).ts',
		'credentials/*.ts',
	],
	transport: ['nodes/FormResponses/transport/*.ts'],
	subscribe: [trigger('{subscribe/*,state/*,timing}')],
	receive: [trigger('{runInput,onlyIf,onlyIfCondition,oldestResponseWarning,receive/*}')],
	recover: [trigger('recover/*')],
	run: [trigger('run/*')],
};

const [name = ''] = process.argv.slice(2);
const files = globSync(Object.hasOwn(parts, name) ? parts[name]! : name, { cwd: root });
if (files.length === 0) {
	const known = Object.keys(parts).join(', ');
	console.error(`No such part or file: "${name}". Parts: ${known}.`);
	process.exit(1);
}
const config = join(import.meta.dirname, 'stryker.config.mjs');
const args = [stryker, 'run', config, '--mutate', files.join()];
process.exitCode = spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status ?? 1;
