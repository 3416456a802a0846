const { readFileSync } = require('node:fs');
const { dirname, join, normalize } = require('node:path');
const { filesIn, root } = require('./built');
const { circlesIn } = require('./circles');

const files = filesIn('dist', /\.js$/);
/** @param {string} path */
const textOf = (path) => readFileSync(join(root, path), 'utf8');

/** What n8n gives a community node, and what the lint of its verification allows. */
const ALLOWED = ['n8n-workflow', 'crypto'];

test.each(files)('%s requires only what is there after installation', (path) => {
	const required = [...textOf(path).matchAll(/\brequire\(\s*(.*?)\s*\)/g)].map(([, name]) => name);
	for (const name of required) {
		expect(name).toMatch(/^"[^"]+"$/);
		const module = name.slice(1, -1);
		const target = normalize(join(dirname(path), module)).replaceAll('\\', '/');
		const isOurs = /^\.\.?\//.test(module);
		const isThere = files.includes(target);
		expect([module, isOurs ? isThere : ALLOWED.includes(module)]).toEqual([module, true]);
	}
});

test('no file requires itself in a circle', () => {
	/** @param {string} path */
	const requiredBy = (path) =>
		[...textOf(path).matchAll(/\brequire\("(\.[^"]+)"\)/g)].map(([, module]) =>
			normalize(join(dirname(path), module)).replaceAll('\\', '/'),
		);
	expect(circlesIn(files, requiredBy)).toEqual([]);
});

test.each(files)('%s uses nothing that n8n does not let a community node use', (path) => {
	const forbidden =
		/\b(process\.|setTimeout|setInterval|setImmediate|console\.|eval\(|globalThis|import\()/;
	expect(textOf(path)).not.toMatch(forbidden);
});
