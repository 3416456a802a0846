const { rm } = require('node:fs/promises');
const { Transform } = require('node:stream');
const { dest, series, src } = require('gulp');
const { build } = require('rolldown');
const { n8n, peerDependencies } = require('./package.json');

const GETTER =
	/Object\.defineProperty\(exports, ['"](\w+)['"], \{\s*enumerable: true,\s*get: function ?\(\) \{\s*return ([\w$]+);\s*\}\s*\}\)/g;

/** Files of an earlier build would ship with the package. */
const clean = async () => await rm('dist', { recursive: true, force: true });

/** No file imports another in a circle, so a plain value does where Rolldown writes a getter. */
const plainExports = {
	name: 'plain-exports',
	/** @param {string} code */
	renderChunk: (code) => code.replaceAll(GETTER, 'exports.$1 = $2'),
};

/** What nodes and credentials share becomes one file: n8n loads the whole package when it starts. */
async function bundle() {
	const entries = [...n8n.credentials, ...n8n.nodes].map((path) => {
		const name = path.replace(/^dist\/|\.js$/g, '');
		return [name, `./${name}.ts`];
	});
	await build({
		input: Object.fromEntries(entries),
		external: Object.keys(peerDependencies),
		platform: 'node',
		plugins: [plainExports],
		preserveEntrySignatures: 'allow-extension',
		// The oldest Node.js that an n8n of the compatibility table runs on.
		transform: { target: 'node20' },
		experimental: { attachDebugInfo: 'none' },
		output: {
			dir: 'dist',
			format: 'cjs',
			strict: true,
			generatedCode: { symbols: false },
			chunkFileNames: 'nodes/[name].js',
			comments: false,
			// Shorter statements; names and lines stay, for who reads what n8n runs.
			minify: { compress: true, mangle: false, codegen: false },
			codeSplitting: {
				includeDependenciesRecursively: false,
				groups: [{ name: 'shared', test: /(?<!\.(node|credentials))\.ts$/ }],
			},
		},
	});
}

/** JSON without white space, which is a quarter of it. */
const compact = () =>
	new Transform({
		objectMode: true,
		transform(file, _, done) {
			if (file.extname === '.json')
				file.contents = Buffer.from(JSON.stringify(JSON.parse(file.contents)));
			done(null, file);
		},
	});

/**
 * Icons, codex, and the columns that n8n's editor shows before the first run (`__schema__`) lie beside the nodes
 * that use them; nothing else of the repository may ship.
 */
const assets = () =>
	src(['nodes/**/*.{svg,node.json}', 'nodes/**/__schema__/**/*.json'], { encoding: false })
		.pipe(compact())
		.pipe(dest('dist/nodes'));

exports.build = series(clean, assets, bundle);
