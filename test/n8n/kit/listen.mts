import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts a server on a free port of this machine. */
export async function listen(handle: RequestListener) {
	const server = createServer(handle).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		port,
		async close() {
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
}
