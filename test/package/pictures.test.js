const { existsSync, readFileSync, statSync } = require('node:fs');
const { join } = require('node:path');
const { pictures } = require('../pictures/catalogue');
const { fingerprint, node } = require('../pictures/fingerprint');
const { panels } = require('../pictures/panels');
const { filesIn, root } = require('./built');

const MOST_BYTES = { panel: 60_000, demo: 1_500_000 };

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

test('every operation has a picture of its panel', () => {
	const { properties } = node('FormResponses').description;
	/** @type {string[]} */
	const operations = properties
		.filter((/** @type {any} */ { name }) => name === 'operation')
		.flatMap((/** @type {any} */ { displayOptions, options }) =>
			options.map((/** @type {any} */ { value }) => `${displayOptions.show.resource[0]} ${value}`),
		);
	const shown = Object.values(panels).map(
		({ parameters: { resource, operation } }) => `${String(resource)} ${String(operation)}`,
	);
	expect(operations.length).toBeGreaterThan(5);
	expect(operations.filter((operation) => !shown.includes(operation))).toEqual([]);
});

test('no picture is too large to be loaded with its page', () => {
	const panelFiles = files.filter((file) => file.startsWith('docs/images/panels/'));
	expect(panelFiles.filter((file) => sizeOf(file) > MOST_BYTES.panel)).toEqual([]);
	expect(sizeOf('docs/images/demo.webp')).toBeLessThanOrEqual(MOST_BYTES.demo);
});
