import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';

const host = '127.0.0.1';

/** Below the ephemeral ports of Linux, macOS and Windows. */
const PORTS = [10_000, 32_000] as const;

export async function isListening(port: number): Promise<boolean> {
	const socket = connect(port, host);
	try {
		await once(socket, 'connect');
		return true;
	} catch {
		return false;
	} finally {
		socket.destroy();
	}
}

export const isFree = async (port: number) => !(await isListening(port));

/**
 * Reserves a port for the life of this process, against other users of this module: n8n listens late, and frees
 * its port while it restarts. Binds the UDP port of that number, which leaves TCP free.
 */
async function reserve(port: number): Promise<boolean> {
	const socket = createSocket('udp4').unref();
	socket.bind(port, host);
	try {
		await once(socket, 'listening');
		return true;
	} catch {
		socket.close();
		return false;
	}
}

export async function freePort(): Promise<number> {
	for (;;) {
		const port = randomInt(...PORTS);
		if ((await reserve(port)) && (await isFree(port))) return port;
	}
}
