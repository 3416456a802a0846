import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { promisify } from 'node:util';

const MANY = 400;
const askForMany = `
	import { freePort } from '${new URL('../ports.mts', import.meta.url).href}';
	const ports = [];
	while (ports.length < ${MANY}) ports.push(await freePort());
	console.log(ports.join());
	await new Promise((resolve) => process.stdin.on('end', resolve).resume());
`;

test('processes that ask at the same time get different ports, none of which is given to connections', async () => {
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
