import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { startProgress } from '../setup/progress.mjs';

const SQLITE = 'node_modules/sqlite3/build/Release/node_sqlite3.node';
const NODE = 'node_modules/node/bin/node';

/** Stands in for npm. It takes a while, and fails or hangs in the folder that FAIL_IN or HANG_IN names. */
const npm = `#!${process.execPath}
const { appendFileSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } = require('node:fs');
const { dirname } = require('node:path');
const [command, what] = process.argv.slice(2);
const log = (event) => appendFileSync(process.env.LOG, [event, command, process.cwd()].join(' ') + '\\n');
log('begin');
const isIn = (folder) => Boolean(folder) && process.cwd().endsWith(folder);
if (isIn(process.env.FAIL_IN)) {
	console.error('no space left on device');
	process.exit(1);
}
const effects = {
	'ci --ignore-scripts'() {
		rmSync('node_modules', { recursive: true, force: true });
		mkdirSync('node_modules');
	},
	'rebuild node'() {
		mkdirSync(dirname('${NODE}'), { recursive: true });
		symlinkSync(process.execPath, '${NODE}');
	},
	'rebuild sqlite3'() {
		mkdirSync(dirname('${SQLITE}'), { recursive: true });
		writeFileSync('${SQLITE}', 'SQLite of ' + readFileSync('package-lock.json', 'utf8'));
	},
};
setTimeout(() => {
	effects[[command, what].join(' ')]();
	log('end');
}, isIn(process.env.HANG_IN) ? 60_000 : 300);
`;

/** The npm above is a script, and with one core nothing runs side by side. */
const skip = process.platform === 'win32' || availableParallelism() < 2;

describe('node playground/setup.mjs', { skip, timeout: 300_000 }, () => {
	let folder: string;
	const inFolder = (path: string) => join(folder, path);
	const inTree = (path: string) => join(folder, 'a tree', path);

	beforeEach(() => {
		folder = mkdtempSync(join(tmpdir(), 'form-responses-setup-test-'));
		for (const path of [inFolder('bin'), inFolder('tmp'), inTree('test/n8n/versions')]) {
			mkdirSync(path, { recursive: true });
		}
		for (const name of ['setup.mjs', 'setup']) {
			const target = inTree(join('playground', name));
			cpSync(join(import.meta.dirname, '..', name), target, { recursive: true });
		}
		for (const name of ['.', 'playground/service', 'playground/mail', 'playground/n8n']) {
			mkdirSync(inTree(name), { recursive: true });
			writeFileSync(inTree(join(name, 'package-lock.json')), name);
			writeFileSync(inTree(join(name, '.npmrc')), '');
		}
		writeFileSync(inFolder('bin/npm'), npm, { mode: 0o755 });
	});
	afterEach(() => rmSync(folder, { recursive: true }));

	function start(words: string[], env: Record<string, string> = {}) {
		const child = spawn(process.execPath, [inTree('playground/setup.mjs'), ...words], {
			env: {
				PATH: [inFolder('bin'), process.env.PATH].join(delimiter),
				LOG: inFolder('npm.log'),
				TMPDIR: inFolder('tmp'),
				...env,
			},
		});
		const printed = Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]);
		const ended = printed.then(([[code], ...output]) => ({ code, output: output.join('') }));
		return { child, ended };
	}
	const setUp = async (env?: Record<string, string>) =>
		await start(['service', 'mail', 'n8n'], env).ended;
	const calls = () => readFileSync(inFolder('npm.log'), 'utf8').trim().split('\n');

	test('tells each step of how many, what it needs and that it is done; a second time there is nothing to do', async () => {
		const { output, code } = await setUp();
		assert.equal(code, 0, output);
		assert.match(output, /^Installing .+ about \d minutes, 3\.7 GB of disk$/m);
		for (const number of [1, 2, 3, 4, 5]) {
			assert.match(output, new RegExp(`^Step ${number} of 5: .+ \\(.*minutes?.*\\)$`, 'm'));
			assert.match(output, new RegExp(`^Step ${number} of 5 done in \\d\\d:\\d\\d: `, 'm'));
		}
		assert.match(output, /^Installed after 00:\d\d$/m);
		assert.deepEqual(await setUp(), { output: '', code: 0 });
	});

	test('two install side by side, and n8n gets the SQLite that its lock file names', async () => {
		await setUp();
		let running = 0;
		const most = Math.max(...calls().map((line) => (running += line.startsWith('begin') ? 1 : -1)));
		assert.equal(most, 2);
		const made = readFileSync(inTree(join('playground/n8n', SQLITE)), 'utf8');
		assert.equal(made, 'SQLite of playground/n8n');
		assert.deepEqual(readdirSync(inFolder('tmp')), []);
	});

	test('of two at the same time one installs, and the other waits for it', async () => {
		const both = await Promise.all([setUp(), setUp()]);
		for (const { output, code } of both) assert.equal(code, 0, output);
		assert.match(both.map(({ output }) => output).join(), /Waiting for another command/);
		const installations = calls().filter((line) => line.startsWith('begin ci'));
		assert.equal(installations.length, 5);
	});

	test('nobody waits for one that was killed', async () => {
		const { child, ended } = start(['service']);
		await once(child.stdout, 'data');
		child.kill('SIGKILL');
		await ended;
		const { output, code } = await setUp();
		assert.equal(code, 0, output);
		assert.doesNotMatch(output, /Waiting/);
	});

	test('a failure says its reason and ends what is under way; the next time goes on from there', async () => {
		const began = Date.now();
		const failed = await setUp({ FAIL_IN: 'playground/service', HANG_IN: 'playground/n8n' });
		assert.equal(failed.code, 1);
		assert.ok(Date.now() - began < 50_000);
		assert.match(failed.output, /no space left on device\n\n"npm ci --ignore-scripts" failed in/);
		assert.deepEqual(readdirSync(inFolder('tmp')), []);
		assert.ok(!existsSync(inTree('playground/service/node_modules')));
		const { output, code } = await setUp();
		assert.equal(code, 0, output);
		assert.match(output, /the form service/);
		assert.doesNotMatch(output, /build tools/);
	});

	test('a part that does not exist is named, and so are those that do', async () => {
		const { output, code } = await start(['servise']).ended;
		assert.equal(code, 1);
		assert.match(output, /no part servise\. .* package, service, mail, n8n\./);
	});

	test('a script runs with the Node that was installed, its arguments, and its exit code', async () => {
		writeFileSync(
			inTree('script.mjs'),
			'console.log(...process.argv.slice(2)); process.exitCode = 7;',
		);
		const { output, code } = await start(['--', inTree('script.mjs'), 'one', '--', '2']).ended;
		assert.match(output, /\none -- 2\n$/);
		assert.ok(existsSync(inTree(NODE)));
		assert.equal(code, 7);
	});

	for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
		test(`${signal} ends the script, which may take its time`, async ({ waitFor }) => {
			const script = `
				process.once('${signal}', () => setTimeout(() => process.exit(3), 200));
				setInterval(() => {}, 1_000);
				require('node:fs').writeFileSync('${inFolder('runs')}', '');`;
			writeFileSync(inTree('script.cjs'), script);
			const { child, ended } = start(['--', inTree('script.cjs')]);
			await waitFor(() => assert.ok(existsSync(inFolder('runs'))), { timeout: 20_000 });
			child.kill(signal);
			assert.equal((await ended).code, 3);
		});
	}
});

test('every half minute it says how long the rest takes', ({ mock }) => {
	mock.timers.enable({ apis: ['setInterval', 'Date'] });
	const said = mock.method(console, 'log', () => {});
	const step = { what: 'n8n', seconds: 270 };
	const progress = startProgress([step], 2);
	void progress.during(step, () => new Promise(() => {}));
	mock.timers.tick(30_000);
	assert.equal(said.mock.calls.at(-1)!.arguments[0], '  00:30  n8n: about 4 minutes to go');
	mock.timers.tick(300_000);
	assert.equal(said.mock.calls.at(-1)!.arguments[0], '  05:30  n8n: takes longer than usual');
	progress.end('Failed');
});
