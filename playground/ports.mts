import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';

/** Only programs on this computer reach the playground. */
export const host = '127.0.0.1';

/** The ports of `npm start`, by the variable that sets another one. */
export const defaultPorts = { N8N_PORT: 5678, SERVICE_PORT: 5800, MAIL_PORT: 5880 };

/** The ports that tests use: below those that Linux, macOS and Windows give to connections. */
const testPorts = [10_000, 32_000] as const;

/** @throws where the text is no port; 0 stands for any free one, where that is allowed */
export function toPort(variable: string, text: string, least: 0 | 1): number {
	const port = Number(text);
	if (Number.isInteger(port) && port >= least && port <= 65_535) return port;
	throw new Error(`${variable} must be a port number from ${least} to 65535, not "${text}".`);
}

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

/** @returns the ports of `npm start`, all of them free */
export async function chosenPorts(): Promise<typeof defaultPorts> {
	const ports = { ...defaultPorts };
	for (const [variable, usual] of Object.entries(defaultPorts)) {
		const port = toPort(variable, process.env[variable] || String(usual), 1);
		if (!(await isFree(port))) {
			throw new Error(
				`Port ${port} is in use. Stop the program that uses it, or choose another port: ${variable}=${port + 1} npm start`,
			);
		}
		Object.assign(ports, { [variable]: port });
	}
	if (new Set(Object.values(ports)).size === 3) return ports;
	throw new Error(`${Object.keys(ports).join(', ')} must differ.`);
}

/**
 * Keeps other tests from choosing the port while this process lives. n8n needs this: it listens late, and frees its
 * port while it restarts. Only the UDP port of that number is taken, so n8n can listen on the TCP port.
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

/** @returns a port for a test, which no other test gets */
export async function freePort(): Promise<number> {
	for (;;) {
		const port = randomInt(...testPorts);
		if ((await reserve(port)) && (await isFree(port))) return port;
	}
}
