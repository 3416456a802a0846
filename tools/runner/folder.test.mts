import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

const ONE = `test('one', () => {});`;
const LACKING = `test('lacking', { skip: 'n8n lacks it' }, () => {});`;

/** The files of a folder, by what they are and the last line of the command that runs them. */
const folders = {
	'a skipped test does not count: 0 passed, 1 failed': [LACKING],
	'suites do not count: 3 passed, 0 failed': [
		ONE + LACKING,
		`${ONE} describe('all', () => { ${ONE} });`,
	],
	'what is empty, broken, cut short or endless fails: 2 passed, 10 failed': [
		'',
		'}',
		`${ONE} test.skip('two', () => {}); test.todo('three'); describe('none', () => {});`,
		`test('one', () => { throw new Error(); });`,
		`test('one', () => process.exit(0));`,
		`setInterval(() => {}, 1000);`,
		`test('one', () => { for (;;); });`,
		`describe('all', () => { after(() => { throw new Error(); }); ${ONE} });`,
	],
};

for (const [title, files] of Object.entries(folders)) {
	test(title, (t) => {
		const lastLine = title.split(': ')[1]!;
		const folder = mkdtempSync(join(tmpdir(), 'form-responses-folder-'));
		t.after(() => rmSync(folder, { recursive: true }));
		for (const [index, text] of files.entries()) {
			const imports = `import { after, describe, test } from 'node:test';`;
			writeFileSync(join(folder, `${index}.test.mts`), text && imports + text);
		}
		const command = [join(import.meta.dirname, 'folder.mts'), folder];
		// With the first of them node:test would not run tests within a test.
		const env = { ...process.env, NODE_TEST_CONTEXT: undefined, TEST_FILE_LONGEST_MS: '5000' };
		const { status, stdout } = spawnSync(process.execPath, command, { encoding: 'utf8', env });
		assert.equal(stdout.trimEnd().split('\n').at(-1), lastLine);
		assert.equal(status, lastLine.endsWith(' 0 failed') ? 0 : 1);
	});
}
