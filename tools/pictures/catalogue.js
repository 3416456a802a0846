const { readdirSync } = require('node:fs');
const { basename, join, resolve } = require('node:path');

const root = resolve(__dirname, '..', '..');

const icons = [
	'nodes/FormResponses/formResponses.svg',
	'nodes/FormResponses/formResponses.dark.svg',
];
const pages = ['playground/service/pages/layout.mts'];
const formPage = ['playground/service/pages/form-page.mts', ...pages];
const consentPage = ['playground/service/oauth/authorize.mts', ...pages];
const oauth2 = [1, 2, 3].map((step) => `docs/images/oauth2-${step}.webp`);

/** The workflow of an example; the picture is asked for by its path. */
const exampleOf = (/** @type {string} */ path) => {
	const name = basename(path, '.json');
	const files = [`examples/images/${name}.webp`];
	return [`examples/${name}`, { files, shows: ['canvas', ...icons, path] }];
};

const examples = readdirSync(join(root, 'examples'))
	.filter((name) => name.endsWith('.json'))
	.map((name) => `examples/${name}`)
	.sort();

/**
 * Every picture that `npm run pictures` makes: its files, and what of this repository is seen on it, as a file or
 * as a part that fingerprint.js knows.
 *
 * @type {Record<string, { files: string[], shows: string[] }>}
 */
const pictures = {
	demo: { files: ['docs/images/demo.webp'], shows: ['canvas', 'trigger', ...icons, ...formPage] },
	search: { files: ['docs/images/search.webp'], shows: ['panel', ...icons] },
	run: { files: ['docs/images/run.webp'], shows: ['canvas', ...icons] },
	trigger: { files: ['docs/images/trigger.webp'], shows: ['trigger'] },
	form: { files: ['docs/images/form.webp'], shows: formPage },
	oauth2: { files: oauth2, shows: ['oAuth2', ...icons, ...consentPage] },
	...Object.fromEntries(examples.map(exampleOf)),
};

module.exports = { pictures, root };
