import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server that is not the form service, and keeps what it was sent. */
export async function openCatcher() {
	const caught: string[] = [];
	const server = createServer(({ url, headers }, response) => {
		caught.push(JSON.stringify({ url, headers }));
		response.setHeader('content-type', 'application/json').end('{}');
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		caught,
		port: (server.address() as AddressInfo).port,
		close: async () => await new Promise<unknown>((resolve) => server.close(resolve)),
	};
}

export type Catcher = Awaited<ReturnType<typeof openCatcher>>;
