const { execFileSync } = require('node:child_process');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { operations } = require('./docs/facts');
const { filesIn, manifest, root } = require('./built');

const MOST_BYTES = 168_500;

/**
 * What `npm publish` would send.
 *
 * @type {[{ files: Array<{ path: string }>, unpackedSize: number }]}
 */
const [pack] = JSON.parse(
	execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
		cwd: root,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
		shell: process.platform === 'win32',
	}),
);

const paths = pack.files.map(({ path }) => path);

test('only the built nodes and credentials ship, with icons, codex and schemas', () => {
	const kinds = /^dist\/(credentials|nodes)\/.+(\.(js|svg|node\.json)|\/__schema__\/.+\.json)$/;
	expect(paths.filter((path) => !kinds.test(path))).toEqual([
		'LICENSE',
		'README.md',
		'package.json',
	]);
});

test('the trigger and every operation have a schema of their columns', () => {
	const trigger = 'dist/nodes/FormResponses/__schema__/v1.0.0';
	const places = [trigger, ...operations.map(({ path }) => `${trigger}/${path}`)];
	expect(places.map((place) => `${place}.json`).sort()).toEqual(
		paths.filter((path) => path.includes('__schema__')).sort(),
	);
});

test('the package is small', () => {
	expect(pack.unpackedSize).toBeLessThanOrEqual(MOST_BYTES);
});

// What else a community node needs in package.json is asked by the lint of the package.
test('package.json lists all nodes, ships only the build, and installs nothing else', () => {
	const { n8n, ...others } = manifest;
	expect(n8n.strict).toBe(true);
	expect(paths).toEqual(expect.arrayContaining([...n8n.nodes, ...n8n.credentials]));
	expect(others).toMatchObject({
		name: 'n8n-nodes-form-responses',
		files: ['dist'],
		scripts: { prepublishOnly: expect.stringMatching(/npm run build$/) },
	});
	expect(Object.keys(others).filter((name) => /^(optional|bundled?)Dep/.test(name))).toEqual([]);
});

test('the package uses only what n8n lets a community node use', () => {
	const forbidden =
		/\b(process\.|setTimeout|setInterval|setImmediate|console\.|eval\(|globalThis|import\()/;
	const code = filesIn('dist', /\.js$/).map((path) => readFileSync(join(root, path), 'utf8'));
	expect(code.length).toBeGreaterThan(0);
	expect(code.filter((text) => forbidden.test(text))).toEqual([]);
});
