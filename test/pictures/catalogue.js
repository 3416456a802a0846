const { existsSync, readdirSync } = require('node:fs');
const { join, resolve } = require('node:path');

/**
 * @typedef {import('./fingerprint').Part} Part
 *
 * @typedef {object} Picture
 * @property {string[]} files
 * @property {Part[]} shows what of this repository is seen on it
 * @property {string} [example] the workflow on it
 */

const root = resolve(__dirname, '..', '..');

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
	...Object.fromEntries(slugs.map(exampleOf)),
};

module.exports = { pictures, root };
