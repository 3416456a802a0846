import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../playground/n8n/ports.mts';
import { startInBackground } from './background.mts';
import { program } from './programs.mts';

/** A Redis of its own, which keeps nothing on disk. */
export async function startRedis(folder: string) {
	mkdirSync(folder, { recursive: true });
	const port = await freePort();
	const settings = {
		port,
		bind: '127.0.0.1',
		dir: folder,
		save: '',
		appendonly: 'no',
	};
	const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
	const server = await startInBackground({
		command: [program('redis-server'), ...args],
		port,
		logPath: join(folder, 'redis.log'),
		stopSignal: 'SIGTERM',
		killSignal: 'SIGKILL',
	});
	return { port, ...server };
}
