import { spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

interface Program extends Pick<SpawnOptions, 'cwd' | 'env' | 'uid' | 'gid'> {
	name: string;
	command: [string, ...string[]];
	logPath: string;
	isReady: () => Promise<boolean>;
	/** For an orderly end. */
	stopSignal?: NodeJS.Signals;
	/** For an immediate end. */
	killSignal?: NodeJS.Signals;
}

export interface RunningProcess {
	/** Settles when the process has ended for any reason. */
	ended: Promise<void>;
	/** Asks the process to end and waits; kills it after 15 seconds. */
	stop(): Promise<void>;
	/** Kills the process and its children, like a crash. */
	kill(): Promise<void>;
	/** Halts the process and its children for a while. */
	pause(ms: number): Promise<void>;
}

const START_TIMEOUT_MS = 120_000;
const STOP_TIMEOUT_MS = 15_000;

const endWithParent = new URL('end-with-parent.mjs', import.meta.url).href;

/** Runs a script that ends with this process, even if this process is killed. */
export const nodeCommand = (node: string, ...args: string[]): Program['command'] => [
	node,
	`--import=${endWithParent}`,
	...args,
];

/** Starts a program in its own process group: Ctrl-C in a terminal does not reach it. */
function launch({ command, logPath, cwd, env, uid, gid }: Program) {
	const [file, ...args] = command;
	mkdirSync(dirname(logPath), { recursive: true });
	const log = openSync(logPath, 'a');
	const stdio: SpawnOptions['stdio'] = ['ignore', log, log, 'ipc'];
	const child = spawn(file, args, { cwd, env, uid, gid, stdio, detached: true });
	closeSync(log);
	return child;
}

export async function startProcess(program: Program): Promise<RunningProcess> {
	const { name, logPath, isReady, stopSignal = 'SIGTERM', killSignal = 'SIGKILL' } = program;
	const child = launch(program);
	await once(child, 'spawn');
	const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
	const signal = (what: NodeJS.Signals) => hasEnded() || process.kill(-child.pid!, what);
	const killNow = () => signal(killSignal);
	// For programs that do not run on Node, and so cannot load end-with-parent.mjs.
	process.on('exit', killNow);
	const ended = once(child, 'exit').then(() => void process.off('exit', killNow));

	async function end(how: NodeJS.Signals) {
		signal(how);
		const late = sleep(STOP_TIMEOUT_MS, undefined, { ref: false });
		await Promise.race([ended, late.then(killNow)]);
		await ended;
	}

	const deadline = Date.now() + START_TIMEOUT_MS;
	for (;;) {
		const isUp = await isReady();
		// Checked first, because another process may answer on the port.
		if (hasEnded() || Date.now() > deadline) break;
		if (isUp) {
			return {
				ended,
				stop: async () => await end(stopSignal),
				kill: async () => await end(killSignal),
				async pause(ms) {
					signal('SIGSTOP');
					await sleep(ms);
					signal('SIGCONT');
				},
			};
		}
		await sleep(100);
	}
	const problem = hasEnded() ? 'ended before it was ready' : 'did not get ready in time';
	await end(killSignal);
	const lastLines = readFileSync(logPath, 'utf8').trimEnd().split('\n').slice(-20);
	throw new Error(`${name} ${problem}. Last lines of ${logPath}:\n${lastLines.join('\n')}`);
}
