import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, test } from 'node:test';

const main = fileURLToPath(new URL('../main.mts', import.meta.url));

function start(environment: Record<string, string>) {
	const child = spawn(process.execPath, [main], {
		env: { PATH: process.env.PATH, ...environment },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const errors = text(child.stderr);
	const exited = once(child, 'exit').then(([code]) => code as number | null);
	return { child, errors, exited };
}

async function takePort() {
	const server = createServer();
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	return { port: (server.address() as AddressInfo).port, free: () => server.close() };
}

describe('node main.mts', { concurrency: true }, () => {
	for (const signal of ['SIGTERM', 'SIGINT'] as const) {
		test(`prints one line when it listens, and exits with 0 on ${signal}`, async () => {
			const { port, free } = await takePort();
			free();
			const { child, errors, exited } = start({ PORT: String(port) });
			let printed = '';
			for await (const chunk of child.stdout) {
				printed += chunk;
				if (!printed.includes('\n')) continue;
				const answered = await fetch(`http://127.0.0.1:${port}/api/v1/me`);
				assert.equal(answered.status, 401);
				child.kill(signal);
			}
			assert.equal(await exited, 0);
			assert.equal(printed, `Form service ready at http://127.0.0.1:${port}\n`);
			assert.equal(await errors, '');
		});
	}

	test('a taken port is one clear message naming PORT, and exit code 1', async () => {
		const { port, free } = await takePort();
		const { errors, exited } = start({ PORT: String(port) });
		assert.equal(await exited, 1);
		const message = await errors;
		assert.match(message, new RegExp(`^Port ${port} is taken. Set PORT .*\n$`));
		free();
	});

	for (const [name, value] of [
		['PORT', 'abc'],
		['PORT', '70000'],
		['BASE_URL', 'localhost:5800'],
		['VALIDATE_RESPONSES', 'maybe'],
		['DATA', fileURLToPath(new URL('.', import.meta.url))],
	] as const) {
		test(`${name}=${name === 'DATA' ? 'a folder' : value} is one clear message`, async () => {
			const { errors, exited } = start({ PORT: '0', [name]: value });
			assert.equal(await exited, 1);
			assert.match(await errors, new RegExp(`^[^\n]*${name}[^\n]*\n$`));
		});
	}
});
