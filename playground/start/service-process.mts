import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from './settings.mts';

const main = resolve(import.meta.dirname, '../service/main.mts');

export interface ServiceProcess {
	url: string;
	ended: Promise<void>;
	stop(): Promise<void>;
}

async function answers(url: string): Promise<boolean> {
	return await fetch(`${url}/api/v1/openapi.json`).then(
		(answer) => answer.ok,
		() => false,
	);
}

/** @param onSpawn called as soon as there is a process */
export async function startServiceProcess(
	settings: Settings,
	onSpawn: (pid: number) => void,
): Promise<ServiceProcess> {
	mkdirSync(settings.dataFolder, { recursive: true });
	const logPath = join(settings.dataFolder, 'service.log');
	const logFile = openSync(logPath, 'w');
	const child = spawn(process.execPath, [main], {
		env: {
			...process.env,
			PORT: String(settings.servicePort),
			HOST: '127.0.0.1',
			BASE_URL: `http://127.0.0.1:${settings.servicePort}`,
			DATA: join(settings.dataFolder, 'service.sqlite'),
		},
		stdio: ['ignore', logFile, logFile],
		// Ctrl-C reaches this process only, which then stops the service in an orderly way.
		detached: true,
	});
	closeSync(logFile);
	await once(child, 'spawn');
	onSpawn(child.pid!);
	process.on('exit', () => child.kill('SIGKILL'));
	const ended = once(child, 'exit').then(() => undefined);

	const url = `http://127.0.0.1:${settings.servicePort}`;
	const deadline = Date.now() + 20_000;
	while (!(await answers(url))) {
		if (child.exitCode !== null || child.signalCode !== null || Date.now() > deadline) {
			child.kill('SIGKILL');
			throw new Error(`The form service did not start:\n${readFileSync(logPath, 'utf8')}`);
		}
		await sleep(50);
	}

	async function stop() {
		child.kill('SIGTERM');
		const inTime = await Promise.race([ended.then(() => true), sleep(5000, false, { ref: false })]);
		if (!inTime) child.kill('SIGKILL');
		await ended;
	}

	return { url, ended, stop };
}
