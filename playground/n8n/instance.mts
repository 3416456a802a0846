import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { n8nEnvironment } from './environment.mts';
import type { ActivationEngine } from './environment.mts';
import { n8nLocation } from './location.mts';
import { freePort } from './ports.mts';
import { signalGroup } from './process-group.mts';

/** What of n8n: all of it, or in queue mode a process that only runs workflows or only takes webhooks. */
type N8nCommand = 'start' | 'worker' | 'webhook';

export interface InstanceOptions {
	userFolder: string;
	command?: N8nCommand;
	port?: number;
	env?: Record<string, string>;
	/** How n8n switches triggers on; of two ways by its setting, where it has both. */
	engine?: ActivationEngine;
	readyWithinMs?: number;
	/** Called as soon as there is a process. */
	onSpawn?: (pid: number) => void;
	log?: (message: string) => void;
}

export interface N8nInstance {
	url: string;
	port: number;
	pid: number;
	logPath: string;
	/** Settles when the process has ended, whoever ended it. */
	ended: Promise<void>;
	/** Asks n8n to shut down and waits; kills it after 15 seconds. */
	stop(): Promise<void>;
	/** Ends n8n and its task runner at once, as a crash would. */
	kill(): Promise<void>;
}

const running = new Set<ChildProcess>();
process.on('exit', () => running.forEach((child) => signalGroup(child.pid!, 'SIGKILL')));

function hasEnded(child: ChildProcess): boolean {
	return child.exitCode !== null || child.signalCode !== null;
}

async function isReady(url: string, command: N8nCommand): Promise<boolean> {
	try {
		const ready = await fetch(`${url}/healthz/readiness`);
		await ready.arrayBuffer();
		if (!ready.ok || command !== 'start') return ready.ok;
		// Readiness turns green before the REST routes are mounted; until then they answer with a page.
		const settings = await fetch(`${url}/rest/settings`);
		await settings.json();
		return settings.ok;
	} catch {
		return false;
	}
}

function lastLines(logPath: string): string {
	return readFileSync(logPath, 'utf8').trimEnd().split('\n').slice(-20).join('\n');
}

async function waitUntilReady(
	check: () => Promise<boolean>,
	child: ChildProcess,
	logPath: string,
	withinMs: number,
) {
	const deadline = Date.now() + withinMs;
	for (;;) {
		const answers = await check();
		// First, because another process may answer on its port.
		if (hasEnded(child)) {
			throw new Error(
				`n8n ended before it was ready. Last lines of ${logPath}:\n${lastLines(logPath)}`,
			);
		}
		if (answers) return;
		if (Date.now() > deadline) {
			signalGroup(child.pid!, 'SIGKILL');
			throw new Error(
				`n8n was not ready within ${withinMs / 1000} s. Last lines of ${logPath}:\n${lastLines(logPath)}`,
			);
		}
		await sleep(100);
	}
}

export async function startN8n(options: InstanceOptions): Promise<N8nInstance> {
	const location = n8nLocation();
	const { command = 'start' } = options;
	const userFolder = resolve(options.userFolder);
	const port = options.port ?? (await freePort());
	const brokerPort = await freePort();
	const logPath = join(userFolder, 'n8n.log');
	mkdirSync(userFolder, { recursive: true });

	const started = Date.now();
	const logFile = openSync(logPath, 'a');
	const child = spawn(location.node, [location.n8n, command], {
		cwd: userFolder,
		env: n8nEnvironment(location, { ...options, userFolder, port, brokerPort }),
		stdio: ['ignore', logFile, logFile],
		detached: true,
	});
	closeSync(logFile);
	await once(child, 'spawn');
	running.add(child);
	options.onSpawn?.(child.pid!);
	const ended = once(child, 'exit').then(() => void running.delete(child));

	const url = `http://localhost:${port}`;
	options.log?.(`n8n is starting at ${url}, its log is ${logPath}`);
	const withinMs = options.readyWithinMs ?? 120_000;
	await waitUntilReady(() => isReady(url, command), child, logPath, withinMs);
	options.log?.(`n8n is ready after ${((Date.now() - started) / 1000).toFixed(1)} s`);

	async function kill() {
		signalGroup(child.pid!, 'SIGKILL');
		await ended;
	}

	async function stop() {
		signalGroup(child.pid!, 'SIGTERM');
		const inTime = await Promise.race([
			ended.then(() => true),
			sleep(15_000, false, { ref: false }),
		]);
		if (!inTime) await kill();
	}

	return { url, port, pid: child.pid!, logPath, ended, stop, kill };
}
