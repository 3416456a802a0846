import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from './app.mts';
import { createService, type Log } from './service.mts';
import { seed } from './seed.mts';

export type StartOptions = {
	port?: number;
	host?: string;
	data?: string;
	baseUrl?: string;
	/** Answers that are not as documented become a 500. */
	validateResponses?: boolean;
	log?: Log;
};

async function listen(server: Server, port: number, host: string): Promise<number> {
	server.listen(port, host);
	await once(server, 'listening');
	return (server.address() as AddressInfo).port;
}

async function stop(server: Server): Promise<void> {
	const closed = once(server, 'close');
	server.close();
	server.closeAllConnections();
	await closed;
}

export async function startService(options: StartOptions = {}) {
	const { data = ':memory:', validateResponses = false, log = console.error } = options;
	const service = createService({ data, validateResponses, log });
	try {
		if (service.store.isNew) seed(service);
		const server = createServer(createApp(service));
		const port = await listen(server, options.port ?? 5800, options.host ?? '127.0.0.1');
		service.url = options.baseUrl ?? `http://127.0.0.1:${port}`;
		return {
			url: service.url,
			port,
			async close() {
				await stop(server);
				await service.close();
			},
		};
	} catch (error) {
		await service.close();
		throw error;
	}
}
