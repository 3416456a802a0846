import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';

const host = '127.0.0.1';

/** Below those that Linux, macOS and Windows give to connections and to whoever asks for any free port. */
const PORTS = [10_000, 32_000] as const;

export async function isAnswered(port: number): Promise<boolean> {
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

export const isFree = async (port: number) => !(await isAnswered(port));

/**
 * Keeps a port from all that ask here, in this process and in others, as long as this process lives: n8n
 * takes seconds until it listens, and has ended before it starts again. A port of UDP has the number only.
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
