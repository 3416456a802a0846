const { execFileSync } = require('node:child_process');
const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { filesIn, manifest, root } = require('./built');

const MOST_BYTES = 150_000;

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

test('only the built package ships', () => {
	const others = paths.filter((path) => !path.startsWith('dist/'));
	const allowed = ['LICENSE', 'README.md', 'package.json'];
	expect(others.filter((path) => !allowed.includes(path))).toEqual([]);
	expect(others).toContain('LICENSE');
});

test('dist has the nodes and credentials, their icons, codex and schemas, and nothing else', () => {
	const kinds = /^dist\/(credentials|nodes)\/.+(\.(js|svg|node\.json)|\/__schema__\/.+\.json)$/;
	expect(paths.filter((path) => path.startsWith('dist/') && !kinds.test(path))).toEqual([]);
	expect(paths.filter((path) => path.endsWith('.svg'))).toHaveLength(2);
	expect(paths.filter((path) => path.endsWith('.node.json'))).toHaveLength(2);
});

test('every operation has a schema of its columns', () => {
	const { FormResponses } = require(join(root, manifest.n8n.nodes[0]));
	/** @type {import('n8n-workflow').INodeProperties[]} */
	const fields = new FormResponses().description.properties;
	const operations = fields
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options }) =>
			/** @type {import('n8n-workflow').INodePropertyOptions[]} */ (options).map(
				({ value }) => `${displayOptions?.show?.resource?.[0]}/${value}`,
			),
		);
	const folder = 'dist/nodes/FormResponses/__schema__/v1.0.0';
	expect(operations.map((operation) => `${folder}/${operation}.json`).sort()).toEqual(
		paths.filter((path) => path.includes('__schema__')).sort(),
	);
});

test('every source file is built, and nothing is left of one that is gone', () => {
	const expected = filesIn('.', /^(nodes|credentials)\/.+\.ts$/).map(
		(path) => `dist/${path.replace(/(?<=^nodes\/\w+\/\w+)\/.*|\.ts$/, '')}.js`,
	);
	expect(filesIn('dist', /\.js$/)).toEqual([...new Set(expected)].sort());
});

test('no source maps, types or build information ship', () => {
	expect(paths.filter((path) => /\.(map|tsbuildinfo|d\.ts|ts)$/.test(path))).toEqual([]);
});

test('it is small', () => {
	expect(pack.unpackedSize).toBeLessThanOrEqual(MOST_BYTES);
});

test('package.json names files that are there', () => {
	const { nodes, credentials, n8nNodesApiVersion } = manifest.n8n;
	expect(n8nNodesApiVersion).toBe(1);
	expect([nodes.length, credentials.length]).toEqual([2, 2]);
	for (const path of [...nodes, ...credentials]) {
		expect([path, existsSync(join(root, path)), paths.includes(path)]).toEqual([path, true, true]);
	}
});

test('package.json is that of a community node', () => {
	expect(manifest.name).toBe('n8n-nodes-form-responses');
	expect(manifest.license).toBe('MIT');
	expect(manifest.keywords).toContain('n8n-community-node-package');
	expect(manifest.files).toEqual(['dist']);
	expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
});

test('there is nothing to install with it, and nothing runs on installation', () => {
	for (const kind of ['dependencies', 'optionalDependencies', 'bundledDependencies', 'overrides']) {
		expect(Object.keys(manifest)).not.toContain(kind);
	}
	for (const script of ['preinstall', 'install', 'postinstall', 'prepare']) {
		expect(Object.keys(manifest.scripts)).not.toContain(script);
	}
});
