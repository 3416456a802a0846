const { existsSync, readFileSync, statSync } = require('node:fs');
const { join } = require('node:path');
const { pictures } = require('../pictures/catalogue');
const { fingerprint } = require('../pictures/fingerprint');
const { filesIn, root } = require('./built');

const MOST_BYTES = 1_500_000;

/** @type {Record<string, string>} */
const made = JSON.parse(readFileSync(join(root, 'docs/images/pictures.json'), 'utf8'));
const names = Object.keys(pictures);
const files = names.flatMap((name) => pictures[name]?.files ?? []);
const sizeOf = (/** @type {string} */ file) => statSync(join(root, file)).size;

test('every picture shows the package and the examples as they are', () => {
	const stale = names.filter(
		(name) => pictures[name] && made[name] !== fingerprint(pictures[name]),
	);
	expect(stale.map((name) => `npm run pictures -- ${name}`)).toEqual([]);
});

test('every picture is there, and no other', () => {
	const present = ['docs/images', 'examples']
		.filter((folder) => existsSync(join(root, folder)))
		.flatMap((folder) => filesIn(folder, /\.webp$/));
	expect(present.sort()).toEqual([...files].sort());
	expect(Object.keys(made).sort()).toEqual([...names].sort());
});

test('no picture is too large to be loaded with its page', () => {
	expect(sizeOf('docs/images/demo.webp')).toBeLessThanOrEqual(MOST_BYTES);
});
