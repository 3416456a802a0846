import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Passes a request on to a port of this machine. */
function forward(incoming: IncomingMessage, outgoing: ServerResponse, port: number) {
	const { method, url: path, headers } = incoming;
	const onward = request({ host: '127.0.0.1', port, method, path, headers }, (answer) => {
		outgoing.writeHead(answer.statusCode!, answer.headers);
		answer.pipe(outgoing);
	});
	onward.on('error', () => {
		if (outgoing.headersSent) outgoing.destroy();
		else outgoing.writeHead(502).end();
	});
	incoming.pipe(onward);
}

/**
 * What stands before n8n in queue mode: production webhooks go to the webhook processes in turn,
 * everything else goes to main.
 */
export async function startReverseProxy(ports: { main: number; webhooks: number[] }) {
	let turn = 0;
	const server = createServer((incoming, outgoing) => {
		const isWebhook = incoming.url!.startsWith('/webhook/');
		const port = isWebhook ? ports.webhooks[turn++ % ports.webhooks.length]! : ports.main;
		forward(incoming, outgoing, port);
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		port,
		url: `http://localhost:${port}`,
		async close() {
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
}
