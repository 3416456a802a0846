import { spawn } from 'node:child_process';
import type { SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Program extends Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'> {
	/** For messages. */
	name: string;
	command: [string, ...string[]];
	logPath: string;
	isReady: () => Promise<boolean>;
	/** Ends the program in good order. */
	stopSignal?: NodeJS.Signals;
	/** Ends it at once. */
	killSignal?: NodeJS.Signals;
}

export interface RunningProcess {
	/** Settles when the process has ended, whoever ended it. */
	ended: Promise<void>;
	/** Asks the process to end and waits; kills it after 15 seconds. */
	stop(): Promise<void>;
	/** Ends the process and all that it started at once, as a crash would. */
	kill(): Promise<void>;
}

const READY_WITHIN_MS = 120_000;
const STOPPED_WITHIN_MS = 15_000;

const endWithParent = new URL('end-with-parent.mjs', import.meta.url).href;

/** Runs a script so that it ends with this process, even where this process is killed. */
export const nodeCommand = (node: string, ...args: string[]): Program['command'] => [
	node,
	`--import=${endWithParent}`,
	...args,
];

const lastLines = (path: string) =>
	readFileSync(path, 'utf8').trimEnd().split('\n').slice(-20).join('\n');

/** Starts a program and waits until it is ready. Ctrl-C in a terminal does not reach it. */
export async function startProcess(program: Program): Promise<RunningProcess> {
	const { name, command, logPath, isReady, ...options } = program;
	const { stopSignal = 'SIGTERM', killSignal = 'SIGKILL', ...spawnOptions } = options;
	const [file, ...args] = command;
	mkdirSync(dirname(logPath), { recursive: true });
	const log = openSync(logPath, 'a');
	const child = spawn(file, args, {
		...spawnOptions,
		// It leads a process group, which signals go to.
		detached: true,
		stdio: ['ignore', log, log, 'ipc'],
	});
	closeSync(log);
	await once(child, 'spawn');

	function signal(what: NodeJS.Signals) {
		if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, what);
	}
	const killNow = () => signal(killSignal);
	// For those that are no Node programs.
	process.on('exit', killNow);
	const ended = once(child, 'exit').then(() => void process.off('exit', killNow));

	async function kill() {
		killNow();
		await ended;
	}

	async function stop() {
		signal(stopSignal);
		const late = sleep(STOPPED_WITHIN_MS, undefined, { ref: false });
		await Promise.race([ended, late.then(killNow)]);
		await ended;
	}

	const deadline = Date.now() + READY_WITHIN_MS;
	for (;;) {
		const isUp = await isReady();
		const hasEnded = child.exitCode !== null || child.signalCode !== null;
		// First, because another process may answer on its port.
		if (isUp && !hasEnded) return { ended, stop, kill };
		if (hasEnded || Date.now() > deadline) {
			killNow();
			const problem = hasEnded
				? 'ended before it was ready'
				: `was not ready within ${READY_WITHIN_MS / 1000} s`;
			throw new Error(`${name} ${problem}. Last lines of ${logPath}:\n${lastLines(logPath)}`);
		}
		await sleep(100);
	}
}
