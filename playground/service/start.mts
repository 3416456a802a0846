import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { host as ownHost } from '../ports.mts';
import { createApp } from './app.mts';
import { createService, type Log } from './service.mts';
import { seed } from './seed.mts';

export type StartOptions = {
	/** 0: any free one. */
	port: number;
	host?: string;
	/** An SQLite file. */
	data?: string;
	/** The address in messages. */
	baseUrl?: string;
	/** Answers that are not as documented become a 500. */
	validateResponses?: boolean;
	log?: Log;
};

export async function startService({
	port: wanted,
	host = ownHost,
	data = ':memory:',
	baseUrl,
	validateResponses = false,
	log = console.error,
}: StartOptions) {
	const service = createService({ data, validateResponses, log });
	try {
		if (service.store.isNew) seed(service);
		const server = createApp(service).listen(wanted, host);
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		service.url = baseUrl ?? `http://${ownHost}:${port}`;
		return {
			url: service.url,
			port,
			async close() {
				const closed = once(server, 'close');
				server.close();
				server.closeAllConnections();
				await closed;
				await service.close();
			},
		};
	} catch (error) {
		await service.close();
		throw error;
	}
}
