import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { openSession } from '../n8n/session.mts';

describe('calls to n8n', () => {
	let server: Server;
	const statuses: number[] = [];
	before(async () => {
		server = createServer((request, response) => {
			const status = statuses.shift() ?? 200;
			const { method, url } = request;
			const body =
				status === 200 ? { data: { method, url } } : { message: 'Database is not ready!' };
			response.writeHead(status).end(JSON.stringify(body));
		}).listen(0, '127.0.0.1');
		await once(server, 'listening');
	});
	after(() => server.close());

	const session = () => {
		const { port } = server.address() as AddressInfo;
		return openSession(`http://127.0.0.1:${port}`);
	};

	test('ask once more where n8n is not ready', async () => {
		statuses.push(503);
		assert.deepEqual(await session().get('/workflows'), { method: 'GET', url: '/rest/workflows' });
	});

	test('do nothing twice', async () => {
		statuses.push(503);
		await assert.rejects(session().post('/workflows'), {
			status: 503,
			message: /Database is not ready/,
		});
	});

	test('tell what n8n refused', async () => {
		statuses.push(404);
		await assert.rejects(session().get('/workflows/1'), {
			message: 'n8n answered GET /rest/workflows/1 with 404: Database is not ready!',
		});
	});
});
