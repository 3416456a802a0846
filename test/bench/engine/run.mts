import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { n8nLocation } from '../../../playground/n8n/location.mts';
import type { Job, Outcome } from './job.mts';

const main = resolve(import.meta.dirname, 'main.mts');

/** Compiled code would count for the run in which V8 makes it. */
const ONLY_BYTECODE = ['--no-opt', '--no-sparkplug', '--no-maglev', '--no-flush-bytecode'];

/** Runs a node in n8n's engine alone, in a new process, and measures what it takes of the heap. */
export async function runInEngine(job: Omit<Job, 'n8nFolder'>): Promise<Outcome> {
	const { folder, node } = n8nLocation();
	// n8n's engine makes a settings file in its user folder.
	const userFolder = await mkdtemp(join(tmpdir(), 'form-responses-engine-'));
	const child = spawn(node, ['--expose-gc', ...ONLY_BYTECODE, main], {
		env: {
			PATH: process.env.PATH,
			N8N_USER_FOLDER: userFolder,
			// Where n8n lets community nodes find n8n-workflow.
			NODE_PATH: join(folder, 'node_modules'),
		},
		stdio: ['pipe', 'pipe', 'pipe'],
	});
	child.stdin.end(JSON.stringify({ ...job, n8nFolder: folder } satisfies Job));
	const [output, errors, [code]] = await Promise.all([
		text(child.stdout),
		text(child.stderr),
		once(child, 'close') as Promise<[number]>,
	]);
	await rm(userFolder, { recursive: true, force: true });
	if (code !== 0) throw new Error(`The engine ended with ${code}:\n${errors.slice(-2_000)}`);
	return JSON.parse(output.trim().split('\n').at(-1)!) as Outcome;
}
