const { existsSync, readdirSync } = require('node:fs');
const { join, resolve } = require('node:path');
const { panels } = require('./panels');

/**
 * @typedef {import('./fingerprint').Part} Part
 *
 * @typedef {object} Picture
 * @property {string[]} files
 * @property {Part[]} shows what of this repository is seen on it
 * @property {string} [example] the workflow on it
 */

const root = resolve(__dirname, '..', '..');
const themes = /** @type {const} */ (['light', 'dark']);

/** @param {string} name */
const panelFile = (name, /** @type {string} */ theme) => `docs/images/panels/${name}-${theme}.webp`;

/**
 * @param {string} name
 * @param {Part[]} shows
 * @returns {[string, Picture]}
 */
const panel = (name, ...shows) => [
	`panels/${name}`,
	{ files: themes.map((theme) => panelFile(name, theme)), shows: [...shows, 'icons'] },
];

/** The workflows of `examples/`, by the name of their files. */
const slugs = existsSync(join(root, 'examples'))
	? readdirSync(join(root, 'examples'))
			.filter((file) => file.endsWith('.json'))
			.map((file) => file.replace(/\.json$/, ''))
			.sort()
	: [];

/** @returns {[string, Picture]} */
const exampleOf = (/** @type {string} */ slug) => [
	`examples/${slug}`,
	{
		files: [`examples/images/${slug}.webp`],
		shows: ['canvas', 'icons'],
		example: `examples/${slug}.json`,
	},
];

/**
 * Every picture of the documentation that `npm run pictures` makes, by the name it is asked for by.
 *
 * @type {Record<string, Picture>}
 */
const pictures = {
	demo: {
		files: ['docs/images/demo.webp'],
		shows: ['canvas', 'trigger', 'icons', 'formPage'],
	},
	run: { files: ['docs/images/run.webp'], shows: ['canvas', 'icons'] },
	trigger: { files: ['docs/images/trigger.webp'], shows: ['trigger'] },
	form: { files: ['docs/images/form.webp'], shows: ['formPage'] },
	oauth2: {
		files: [1, 2, 3].map((step) => `docs/images/oauth2-${step}.webp`),
		shows: ['oAuth2', 'icons', 'consentPage'],
	},
	...Object.fromEntries([
		...Object.entries(panels).map(([name, { node }]) => panel(name, node)),
		panel('credential-oauth2', 'oAuth2'),
		panel('credential-api-key', 'apiKey'),
		panel('node-creator', 'creator'),
		panel('canvas', 'canvas'),
		...slugs.map(exampleOf),
	]),
};

module.exports = { panelFile, pictures, root, themes };
