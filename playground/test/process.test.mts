import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort, isFree } from '../ports.mts';

const moduleAt = (path: string) => new URL(path, import.meta.url).href;

/** Listens on one port, and starts a child that listens on the next, like n8n's task runner. */
const listener = `
	const [port, next] = process.argv.slice(1);
	require('node:http').createServer().listen(port, '127.0.0.1');
	const args = ['--eval', process.execArgv.at(-1), next];
	if (next) require('node:child_process').spawn(process.execPath, args);
`;

const starter = `
	import { isListening } from '${moduleAt('../ports.mts')}';
	import { nodeCommand, startProcess } from '${moduleAt('../n8n/process.mts')}';
	const [logPath, listener, ...ports] = process.argv.slice(1);
	const command = nodeCommand(process.execPath, '--eval', listener, ...ports);
	const isReady = async () => await isListening(ports[0]) && await isListening(ports[1]);
	await startProcess({ name: 'The listener', command, logPath, isReady });
	console.log('ready');
`;

for (const signal of ['SIGKILL', 'SIGTERM'] as const) {
	test(`what a process started ends with it, also by ${signal}`, async ({ waitFor }) => {
		const folder = mkdtempSync(join(tmpdir(), 'form-responses-process-'));
		const ports = [await freePort(), await freePort()];
		const args = [join(folder, 'log'), listener, ...ports.map(String)];
		const parent = spawn(process.execPath, ['--input-type=module', '--eval', starter, ...args]);
		await once(parent.stdout, 'data');
		parent.kill(signal);
		for (const port of ports) {
			await waitFor(async () => assert.ok(await isFree(port)), { timeout: 10_000 });
		}
		rmSync(folder, { recursive: true });
	});
}
