import { spawn } from 'node:child_process';
import type { SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface BackgroundOptions extends Pick<SpawnOptions, 'cwd' | 'uid' | 'gid'> {
	command: [string, ...string[]];
	port: number;
	logPath: string;
	/** Ends the program in good order. */
	stopSignal: NodeJS.Signals;
	/** Ends it at once, with every process of its own. */
	killSignal: NodeJS.Signals;
}

const READY_WITHIN_MS = 30_000;
const STOPPED_WITHIN_MS = 10_000;

function accepts(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = connect(port, '127.0.0.1');
		socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
		socket.once('connect', () => socket.destroy());
	});
}

/** Starts a server program and waits until it takes connections. It ends with this process. */
export async function startInBackground(options: BackgroundOptions) {
	const { command, port, logPath, stopSignal, killSignal, ...spawnOptions } = options;
	const [name, ...args] = command;
	const logFile = openSync(logPath, 'a');
	const child = spawn(name, args, {
		...spawnOptions,
		stdio: ['ignore', logFile, logFile],
		detached: true,
	});
	closeSync(logFile);
	const ended = once(child, 'exit').then(() => process.off('exit', kill));
	function kill() {
		child.kill(killSignal);
	}
	process.on('exit', kill);
	await once(child, 'spawn');

	const failure = (what: string) => {
		kill();
		return new Error(`${name} ${what}. Its log:\n${readFileSync(logPath, 'utf8')}`);
	};
	const deadline = Date.now() + READY_WITHIN_MS;
	while (!(await accepts(port))) {
		if (child.exitCode !== null || child.signalCode !== null) throw failure('ended at once');
		if (Date.now() > deadline) throw failure(`is not ready after ${READY_WITHIN_MS / 1000} s`);
		await sleep(50);
	}

	return {
		async stop() {
			child.kill(stopSignal);
			const late = sleep(STOPPED_WITHIN_MS, undefined, { ref: false }).then(kill);
			await Promise.race([ended, late]);
			await ended;
		},
	};
}
