import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { openAccount } from '../start/leftovers.mts';

function leftovers() {
	let folder: string;
	beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'form-responses-start-'))));
	const children: ChildProcess[] = [];
	afterEach(() => {
		for (const child of children.splice(0)) child.kill('SIGKILL');
		rmSync(folder, { recursive: true });
	});

	function startLong() {
		const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 1000)'], {
			detached: true,
		});
		children.push(child);
		return child;
	}

	const path = () => join(folder, 'processes.json');
	const read = () =>
		JSON.parse(readFileSync(path(), 'utf8')) as { own: { pid: number; startedAt: number } };

	/** As the file is after a kill: it names a process that is gone as the one that ran. */
	function asAfterAKill() {
		const account = read();
		writeFileSync(path(), JSON.stringify({ ...account, own: { ...account.own, startedAt: 1 } }));
	}

	test('is stopped by the next one', { timeout: 30_000 }, async () => {
		const left = startLong();
		openAccount(folder).note('n8n', left.pid!);
		asAfterAKill();
		await openAccount(folder).clear();
		assert.equal(left.exitCode ?? left.signalCode ?? (await once(left, 'exit'))[1], 'SIGTERM');
	});

	test('is left alone where its process ID belongs to another process by now', async () => {
		const another = startLong();
		const account = openAccount(folder);
		account.note('n8n', another.pid!);
		asAfterAKill();
		const text = readFileSync(path(), 'utf8');
		const noted = JSON.parse(text) as { others: Array<{ startedAt: number }> };
		for (const one of noted.others) one.startedAt -= 60_000;
		writeFileSync(path(), JSON.stringify({ ...read(), ...noted }));
		await openAccount(folder).clear();
		assert.equal(another.exitCode ?? another.signalCode, null);
	});

	test('is named where it still runs under its "npm start"', async () => {
		openAccount(folder).note('n8n', process.pid);
		await assert.rejects(openAccount(folder).clear(), {
			message: new RegExp(`running already, as process ${process.pid}\\..*kill ${process.pid}`),
		});
	});

	test('is nothing where its account is damaged', async () => {
		openAccount(folder).note('n8n', process.pid);
		writeFileSync(path(), '');
		await openAccount(folder).clear();
	});

	test('is nothing after an orderly end', async () => {
		const account = openAccount(folder);
		account.note('n8n', process.pid);
		account.close();
		await openAccount(folder).clear();
	});
}

// Windows has no process groups, and no ps.
if (process.platform !== 'win32') void describe('what an "npm start" left running', leftovers);
