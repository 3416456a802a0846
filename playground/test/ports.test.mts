import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { chosenPorts, freePort } from '../ports.mts';

const MANY = 400;
const askForMany = `
	import { freePort } from '${new URL('../ports.mts', import.meta.url).href}';
	const ports = [];
	while (ports.length < ${MANY}) ports.push(await freePort());
	console.log(ports.join());
	await new Promise((resolve) => process.stdin.on('end', resolve).resume());
`;

test('processes that ask at the same time get different ports, below those that connections get', async () => {
	const asking = ['one', 'other'].map(() =>
		promisify(execFile)(process.execPath, ['--input-type=module', '--eval', askForMany]),
	);
	// Each process lives, and so keeps its ports, until both have printed theirs.
	const printed = asking.map(async ({ child }) => String(await once(child.stdout!, 'data')));
	const ports = (await Promise.all(printed)).flatMap((line) => line.split(',').map(Number));
	for (const { child } of asking) child.stdin!.end();
	await Promise.all(asking);
	assert.equal(new Set(ports).size, 2 * MANY);
	assert.ok(ports.every((port) => port >= 10_000 && port < 32_768));
});

test('npm start takes three free ports, and otherwise says which variable to set', async (t) => {
	const taken = await freePort();
	const server = createServer().listen(taken, '127.0.0.1');
	t.after(() => server.close());
	await once(server, 'listening');
	const chosen = {
		N8N_PORT: await freePort(),
		SERVICE_PORT: await freePort(),
		MAIL_PORT: await freePort(),
	};
	const choose = async (other: object) => {
		for (const [name, port] of Object.entries({ ...chosen, ...other })) {
			process.env[name] = String(port);
		}
		return await chosenPorts();
	};
	assert.deepEqual(await choose({}), chosen);
	const refused: Array<[object, RegExp]> = [
		[{ MAIL_PORT: 'abc' }, /^Error: MAIL_PORT must be a port number from 1 to 65535, not "abc"/],
		[{ MAIL_PORT: 65_536 }, /^Error: MAIL_PORT must be/],
		[{ MAIL_PORT: 0 }, /^Error: MAIL_PORT must be/],
		[
			{ SERVICE_PORT: taken },
			new RegExp(`${taken} is in use.*SERVICE_PORT=${taken + 1} npm start`),
		],
		[{ SERVICE_PORT: chosen.N8N_PORT }, /N8N_PORT, SERVICE_PORT, MAIL_PORT must differ/],
	];
	for (const [other, message] of refused) await assert.rejects(choose(other), message);
});
