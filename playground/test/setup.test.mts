import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
	chmodSync,
	cpSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, beforeEach, describe, test } from 'node:test';

const BINARY = 'node_modules/sqlite3/build/Release/node_sqlite3.node';

/** Takes a while, as npm does; fails, or does not end, in the folder that a variable names. */
const npm = `#!${process.execPath}
const { mkdirSync, appendFileSync, readFileSync, writeFileSync } = require('node:fs');
const { dirname } = require('node:path');
const [command, what] = process.argv.slice(2);
const log = (event) => appendFileSync(process.env.LOG, [event, command, process.cwd()].join(' ') + '\\n');
log('begin');
const isIn = (folder) => Boolean(folder) && process.cwd().endsWith(folder);
if (isIn(process.env.FAIL_IN)) {
	console.error('no space left on device');
	process.exit(1);
}
setTimeout(() => {
	if (command === 'ci') mkdirSync('node_modules', { recursive: true });
	if (what === 'sqlite3') {
		mkdirSync(dirname('${BINARY}'), { recursive: true });
		writeFileSync('${BINARY}', 'SQLite of ' + readFileSync('package-lock.json', 'utf8'));
	}
	log('end');
}, isIn(process.env.HANG_IN) ? 60_000 : 300);
`;

/** The npm above is a script, and with one core nothing runs side by side. */
const skip = process.platform === 'win32' || availableParallelism() < 2;

describe('node playground/setup.mjs', { skip }, () => {
	let folder: string;
	let tree: string;
	before(() => (folder = mkdtempSync(join(tmpdir(), 'form-responses-setup-test-'))));
	after(() => rmSync(folder, { recursive: true }));

	beforeEach(() => {
		rmSync(folder, { recursive: true });
		tree = join(folder, 'a tree');
		for (const name of ['bin', 'tmp', 'a tree/test/n8n/versions']) {
			mkdirSync(join(folder, name), { recursive: true });
		}
		for (const name of ['setup.mjs', 'setup']) {
			cpSync(join(import.meta.dirname, '..', name), join(tree, 'playground', name), {
				recursive: true,
			});
		}
		for (const name of ['.', 'playground/service', 'playground/mail', 'playground/n8n']) {
			mkdirSync(join(tree, name), { recursive: true });
			writeFileSync(join(tree, name, 'package-lock.json'), name);
			writeFileSync(join(tree, name, '.npmrc'), '');
		}
		writeFileSync(join(folder, 'bin/npm'), npm);
		chmodSync(join(folder, 'bin/npm'), 0o755);
	});

	async function setUp(env: Record<string, string> = {}) {
		const script = join(tree, 'playground/setup.mjs');
		const child = spawn(process.execPath, [script, 'service', 'mail', 'n8n'], {
			env: {
				PATH: [join(folder, 'bin'), process.env.PATH].join(delimiter),
				LOG: join(folder, 'npm.log'),
				TMPDIR: join(folder, 'tmp'),
				...env,
			},
		});
		const exited = once(child, 'exit');
		const printed = await Promise.all([text(child.stdout), text(child.stderr)]);
		const [code] = (await exited) as [number | null];
		return { output: printed.join(''), code };
	}
	const calls = () => readFileSync(join(folder, 'npm.log'), 'utf8').trim().split('\n');

	test('tells each step of how many, what it needs and that it is done; a second time there is nothing to do', async () => {
		const { output, code } = await setUp();
		assert.equal(code, 0, output);
		assert.match(output, /^Installing .+ about \d minutes, 3\.5 GB of disk$/m);
		for (const number of [1, 2, 3, 4, 5]) {
			assert.match(output, new RegExp(`^Step ${number} of 5: .+ \\(.*minutes?.*\\)$`, 'm'));
			assert.match(output, new RegExp(`^Step ${number} of 5 done in \\d:\\d\\d: `, 'm'));
		}
		assert.match(output, /^Installed after 0:\d\d$/m);
		assert.deepEqual(await setUp(), { output: '', code: 0 });
	});

	test('two install side by side, and n8n gets the SQLite that its lock file names', async () => {
		await setUp();
		let running = 0;
		const most = Math.max(...calls().map((line) => (running += line.startsWith('begin') ? 1 : -1)));
		assert.equal(most, 2);
		const sqlite = readFileSync(join(tree, 'playground/n8n', BINARY), 'utf8');
		assert.equal(sqlite, 'SQLite of playground/n8n');
		assert.deepEqual(readdirSync(join(folder, 'tmp')), []);
	});

	test('of two at the same time one installs, and the other waits for it', async () => {
		const both = await Promise.all([setUp(), setUp()]);
		for (const { output, code } of both) assert.equal(code, 0, output);
		assert.match(both.map(({ output }) => output).join(), /Waiting for another command/);
		const installations = calls().filter((line) => line.startsWith('begin ci'));
		assert.equal(installations.length, 5);
	});

	test('a failure says its reason and ends what is under way; the next time goes on from there', async () => {
		const began = Date.now();
		const failed = await setUp({ FAIL_IN: 'playground/service', HANG_IN: 'playground/n8n' });
		assert.equal(failed.code, 1);
		assert.ok(Date.now() - began < 50_000);
		assert.match(failed.output, /no space left on device\n\n"npm ci --ignore-scripts" failed in/);
		assert.deepEqual(readdirSync(join(folder, 'tmp')), []);
		assert.ok(!existsSync(join(tree, 'playground/service/node_modules')));
		const { output, code } = await setUp();
		assert.equal(code, 0, output);
		assert.match(output, /the form service/);
		assert.doesNotMatch(output, /build tools/);
	});
});
