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

test('it is small', () => {
	expect(pack.unpackedSize).toBeLessThanOrEqual(MOST_BYTES);
});

test('package.json is that of a community node', () => {
	const { n8n, ...others } = manifest;
	expect(n8n).toMatchObject({ n8nNodesApiVersion: 1, strict: true });
	expect(paths).toEqual(expect.arrayContaining([...n8n.nodes, ...n8n.credentials]));
	expect(others).toMatchObject({
		name: 'n8n-nodes-form-responses',
		license: 'MIT',
		keywords: expect.arrayContaining(['n8n-community-node-package']),
		files: ['dist'],
		peerDependencies: { 'n8n-workflow': '*' },
		scripts: { prepublishOnly: expect.stringMatching(/npm run build$/) },
	});
});

test('there is nothing to install with it, and nothing runs on installation', () => {
	const kinds = ['dependencies', 'optionalDependencies', 'bundledDependencies', 'overrides'];
	const scripts = ['preinstall', 'install', 'postinstall', 'prepare'];
	const has = [...Object.keys(manifest), ...Object.keys(manifest.scripts)];
	expect(has.filter((name) => [...kinds, ...scripts].includes(name))).toEqual([]);
});

test('it uses nothing that n8n does not let a community node use', () => {
	const forbidden =
		/\b(process\.|setTimeout|setInterval|setImmediate|console\.|eval\(|globalThis|import\()/;
	const users = filesIn('dist', /\.js$/).filter((path) =>
		forbidden.test(readFileSync(join(root, path), 'utf8')),
	);
	expect(users).toEqual([]);
});
