import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { connectN8n, type N8nClient } from './client.mts';
import { n8nEnvironment, type ActivationEngine } from './environment.mts';
import { installPackage, packageFolderIn, type PackageOptions } from './install-package.mts';
import { n8nLocation } from './location.mts';
import { freePort } from '../ports.mts';
import { nodeCommand, startProcess, type RunningProcess } from './process.mts';

export interface InstanceOptions extends PackageOptions {
	userFolder: string;
	/** `worker` and `webhook` are the process types of queue mode. */
	command?: 'start' | 'worker' | 'webhook';
	port?: number;
	env?: Record<string, string>;
	/** Whether it serves its editor, whose files take nearly as long as all else of a start. */
	hasEditor?: boolean;
	/** How n8n activates triggers, for versions with a choice. */
	engine?: ActivationEngine;
}

/**
 * An n8n with the package: a single process (`startN8n`), a queue mode cluster (test/n8n/kit/queue-mode.mts), or an n8n
 * that was already running (test/n8n/kit/attached-n8n.mts).
 */
export interface N8nInstance extends RunningProcess {
	url: string;
	port: number;
	logPath: string;
	connect(): Promise<N8nClient>;
}

async function isReady(url: string, command: string): Promise<boolean> {
	try {
		const ready = await fetch(`${url}/healthz/readiness`);
		await ready.arrayBuffer();
		if (!ready.ok || command !== 'start') return ready.ok;
		// Readiness turns green before the REST routes are mounted; nobody is logged in yet.
		const login = await fetch(`${url}/rest/login`);
		await login.arrayBuffer();
		return login.status === 401;
	} catch {
		return false;
	}
}

/** Starts n8n; installs the package first if it is missing. */
export async function startN8n(options: InstanceOptions): Promise<N8nInstance> {
	const { node, n8n } = n8nLocation();
	const { command = 'start', port = await freePort() } = options;
	const userFolder = resolve(options.userFolder);
	if (!existsSync(packageFolderIn(userFolder))) installPackage(userFolder, options);
	const logPath = join(userFolder, 'n8n.log');
	const url = `http://localhost:${port}`;
	const running = await startProcess({
		name: 'n8n',
		command: nodeCommand(node, n8n, command),
		cwd: userFolder,
		env: await n8nEnvironment(userFolder, port, options),
		logPath,
		isReady: async () => await isReady(url, command),
	});
	return { ...running, url, port, logPath, connect: async () => await connectN8n(url) };
}
