import { once } from 'node:events';
import { createServer } from 'node:net';

const host = '127.0.0.1';

/**
 * Below the ports that Linux, macOS and Windows give to outgoing connections and to whoever asks for
 * any free one: n8n takes seconds until it listens, and by then another process may have such a port.
 */
const firstPort = 10_000;
const portsOfAProcess = 20;
const processes = 1_000;

let asked = 0;

export async function isFree(port: number): Promise<boolean> {
	const server = createServer().listen(port, host);
	try {
		await once(server, 'listening');
		return true;
	} catch {
		return false;
	} finally {
		server.close();
	}
}

/** Another one with each call, and not one of those that a process started at about the same time asks for. */
export async function freePort(): Promise<number> {
	const block = firstPort + (process.pid % processes) * portsOfAProcess;
	for (let tries = 0; tries < portsOfAProcess; tries += 1) {
		const port = block + (asked++ % portsOfAProcess);
		if (await isFree(port)) return port;
	}
	throw new Error(
		`Each port from ${block} to ${block + portsOfAProcess - 1} is in use: stop what was left running there.`,
	);
}
