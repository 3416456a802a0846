import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import express, { type Request } from 'express';

type Received = Pick<Request, 'method' | 'url' | 'headers'> & { body: string };

/** A subscriber that records deliveries and answers with a given status. */
export async function startReceiver() {
	const received: Received[] = [];
	const answers: number[] = [];
	let delayMs = 0;

	const app = express().use(express.text({ type: () => true }));
	app.use(async ({ method, url, headers, body }, response) => {
		received.push({ method, url, headers, body });
		const status = answers.shift() ?? 200;
		await sleep(delayMs, undefined, { ref: false });
		response.status(status).send('received');
	});
	const server = app.listen(0, '127.0.0.1');
	await once(server, 'listening');

	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		received,
		forgetAnswers: () => void (answers.length = 0),
		answerNext: (...statuses: number[]) => answers.push(...statuses),
		answerAfter: (ms: number) => (delayMs = ms),
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
}

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;
