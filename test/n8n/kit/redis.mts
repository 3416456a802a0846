import { join } from 'node:path';
import { freePort, isListening } from '../../../playground/ports.mts';
import { startProcess } from '../../../playground/n8n/process.mts';
import { program } from './programs.mts';

/** A Redis of its own, which keeps nothing on disk. */
export async function startRedis(folder: string) {
	const port = await freePort();
	const settings = { port, bind: '127.0.0.1', save: '', appendonly: 'no' };
	const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
	const server = await startProcess({
		name: 'Redis',
		command: [program('redis-server'), ...args],
		logPath: join(folder, 'redis.log'),
		isReady: async () => await isListening(port),
	});
	return { port, ...server };
}
