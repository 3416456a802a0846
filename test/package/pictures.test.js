const { readFileSync, statSync } = require('node:fs');
const { join } = require('node:path');
const { fingerprint, pictures } = require('../../tools/pictures/catalogue');
const { filesIn, root } = require('./built');

const MOST_BYTES = 1_500_000;

/** @type {Record<string, string>} */
const made = JSON.parse(readFileSync(join(root, 'docs/images/pictures.json'), 'utf8'));

// It loads the package and the clock of the tests, whose hooks Jest allows only outside of a test.
const now = Object.fromEntries(Object.keys(pictures).map((name) => [name, fingerprint(name)]));

test('every picture shows the package and the examples as they are', () => {
	const stale = Object.keys(now).filter((name) => made[name] !== now[name]);
	expect(stale.map((name) => `npm run pictures -- ${name}`)).toEqual([]);
	expect(Object.keys(made).sort()).toEqual(Object.keys(now).sort());
});

test('every picture exists, and a page shows it', () => {
	const files = Object.values(pictures).flatMap((picture) => picture.files);
	expect(filesIn('.', /\.webp$/)).toEqual([...files].sort());
	const pages = filesIn('.', /\.md$/).map((path) => readFileSync(join(root, path), 'utf8'));
	const isShown = (/** @type {string} */ file) =>
		pages.some((page) => page.includes(file.replace(/^(docs|examples)\//, '')));
	expect(files.filter((file) => !isShown(file))).toEqual([]);
});

test('no picture is too large to be loaded with its page', () => {
	expect(statSync(join(root, 'docs/images/demo.webp')).size).toBeLessThanOrEqual(MOST_BYTES);
});
