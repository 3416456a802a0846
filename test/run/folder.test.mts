import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';

const command = join(import.meta.dirname, 'folder.mts');

/** What a folder holds, by the name of the file, and what is to come of it. */
const cases: Record<string, { files: Record<string, string>; ends: string }> = {
	'one test that passes': {
		files: { 'one.test.mts': `test('one', () => {});` },
		ends: '1 passed, 0 failed',
	},
	'one that passes, one that fails': {
		files: { 'one.test.mts': `test('one', () => {}); test('two', () => { throw new Error(); });` },
		ends: '1 passed, 1 failed',
	},
	'no file': { files: {}, ends: '0 passed, 1 failed' },
	'no file of tests': {
		files: { 'one.mts': `test('one', () => {});` },
		ends: '0 passed, 1 failed',
	},
	'a file without tests': { files: { 'one.test.mts': '' }, ends: '0 passed, 1 failed' },
	'a suite without tests': {
		files: { 'one.test.mts': `describe('nothing', () => {});` },
		ends: '0 passed, 1 failed',
	},
	'a suite without tests beside one with a test': {
		files: {
			'one.test.mts': `describe('all', () => { describe('none', () => {}); test('one', () => {}); });`,
		},
		ends: '1 passed, 1 failed',
	},
	'suites with tests': {
		files: {
			'one.test.mts': `test('one', () => {}); describe('all', () => { describe('some', () => { test('two', () => {}); }); describe('more', () => { test('three', () => {}); }); });`,
		},
		ends: '3 passed, 0 failed',
	},
	'suites whose tests stand in another file': {
		files: {
			'one.test.mts': `import { passes } from './passes.mts'; describe('all', () => { describe('some', () => { passes('one'); }); });`,
			'passes.mts': `export const passes = (name) => test(name, () => {});`,
		},
		ends: '1 passed, 0 failed',
	},
	'a file without tests beside one with a test': {
		files: { 'one.test.mts': `test('one', () => {});`, 'two.test.mts': '' },
		ends: '1 passed, 1 failed',
	},
	'a test that is skipped': {
		files: { 'one.test.mts': `test('one', () => {}); test.skip('two', () => {});` },
		ends: '1 passed, 1 failed',
	},
	'a suite that is skipped beside a test': {
		files: {
			'one.test.mts': `test('one', () => {}); describe.skip('all', () => { test('two', () => {}); });`,
		},
		ends: '1 passed, 1 failed',
	},
	'a suite that is skipped': {
		files: { 'one.test.mts': `describe.skip('all', () => { test('one', () => {}); });` },
		ends: '0 passed, 1 failed',
	},
	'a test that is left to do': {
		files: { 'one.test.mts': `test('one', () => {}); test.todo('two');` },
		ends: '1 passed, 1 failed',
	},
	'a test that passes because it fails': {
		files: {
			'one.test.mts': `test('one', () => {}); test.expectFailure('two', () => { throw new Error('fails'); });`,
		},
		ends: '1 passed, 1 failed',
	},
	'a file that cannot be read': {
		files: { 'one.test.mts': `test('one', () => {}); }` },
		ends: '0 passed, 1 failed',
	},
	'a test that ends the process': {
		files: {
			'one.test.mts': `test('one', () => {}); test('two', async () => { await new Promise((done) => setTimeout(done, 200)); process.exit(0); }); test('three', () => {});`,
		},
		ends: '1 passed, 1 failed',
	},
	'a file that does not come to its end': {
		files: {
			'one.test.mts': `test('one', () => {}); setInterval(() => {}, 1000);`,
			'two.test.mts': `test('two', () => {});`,
		},
		ends: '2 passed, 1 failed',
	},
	'a test in a loop without end': {
		files: { 'one.test.mts': `test('one', () => { for (;;); });` },
		ends: '0 passed, 1 failed',
	},
	'a test that prints a count': {
		files: { 'one.test.mts': `test('one', () => { console.log('5 passed, 0 failed'); });` },
		ends: '1 passed, 0 failed',
	},
	'a suite that cannot be set up': {
		files: {
			'one.test.mts': `describe('all', () => { before(() => { throw new Error(); }); test('one', () => {}); });`,
		},
		ends: '0 passed, 1 failed',
	},
	'a suite that cannot be cleared away': {
		files: {
			'one.test.mts': `describe('all', () => { after(() => { throw new Error(); }); test('one', () => {}); });`,
		},
		ends: '1 passed, 1 failed',
	},
};

describe('a folder of tests', () => {
	let folder: string;
	beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'form-responses-folder-'))));
	afterEach(() => rmSync(folder, { recursive: true }));

	for (const [name, { files, ends }] of Object.entries(cases)) {
		test(`with ${name}: ${ends}`, () => {
			for (const [file, text] of Object.entries(files)) {
				const imports = `import { after, before, describe, test } from 'node:test';\n`;
				writeFileSync(join(folder, file), text && imports + text);
			}
			const { status, stdout } = spawnSync(process.execPath, [command, folder], {
				encoding: 'utf8',
				// Without it node:test would not run tests within a test.
				env: { ...process.env, NODE_TEST_CONTEXT: undefined, TEST_FILE_LONGEST_MS: '3000' },
			});
			assert.equal(stdout.trimEnd().split('\n').at(-1), ends);
			assert.equal(status, ends.endsWith(' 0 failed') ? 0 : 1);
		});
	}
});
