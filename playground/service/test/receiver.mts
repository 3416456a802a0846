import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

type Received = {
	method: string;
	url: string;
	headers: IncomingHttpHeaders;
	body: string;
};

/** A subscriber that records deliveries and answers with a given status. */
export async function startReceiver() {
	const received: Received[] = [];
	const answers: number[] = [];
	let delayMs = 0;

	async function receive(request: IncomingMessage, response: ServerResponse) {
		const { method = '', url = '', headers } = request;
		received.push({ method, url, headers, body: await text(request) });
		const status = answers.shift() ?? 200;
		setTimeout(() => response.writeHead(status).end('received'), delayMs).unref();
	}

	const server = createServer((request, response) => void receive(request, response));
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;

	return {
		url: `http://127.0.0.1:${port}`,
		received,
		answerNext: (...statuses: number[]) => answers.push(...statuses),
		answerAfter: (ms: number) => (delayMs = ms),
		close: () => {
			server.closeAllConnections();
			server.close();
		},
	};
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
