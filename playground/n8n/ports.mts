import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

const host = '127.0.0.1';

function listenOnce(port: number): Promise<number> {
	return new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', reject);
		server.listen(port, host, () => {
			const { port: listening } = server.address() as AddressInfo;
			server.close(() => resolve(listening));
		});
	});
}

export async function freePort(): Promise<number> {
	return await listenOnce(0);
}

export async function isFree(port: number): Promise<boolean> {
	return await listenOnce(port).then(
		() => true,
		() => false,
	);
}
