const { hash } = require('node:crypto');
const { readdirSync, readFileSync } = require('node:fs');
const { basename, join, resolve } = require('node:path');

const root = resolve(__dirname, '..', '..');

/** An instance of what n8n loads. */
function built(/** @type {string} */ path) {
	const [Class] = Object.values(require(join(root, 'dist', path)));
	return new Class();
}

const action = () => built('nodes/FormResponses/FormResponses.node.js').description;
const trigger = () => built('nodes/FormResponses/FormResponsesTrigger.node.js').description;
const onCanvas = ['displayName', 'subtitle', 'defaults', 'name', 'inputs', 'outputs'];
const inPanel = [...onCanvas, 'description', 'properties', 'options', 'action'];

/** @type {Record<string, () => string>} */
const parts = {
	canvas: () => JSON.stringify([action(), trigger()], onCanvas),
	panel: () => JSON.stringify([action(), trigger()], inPanel),
	trigger: () => JSON.stringify(trigger()),
	oAuth2: () => JSON.stringify(built('credentials/FormResponsesOAuth2Api.credentials.js')),
};

const icons = [
	'nodes/FormResponses/formResponses.svg',
	'nodes/FormResponses/formResponses.dark.svg',
];
const pages = ['playground/service/pages/layout.mts'];
const formPage = ['playground/service/pages/form-page.mts', ...pages];
const consentPage = ['playground/service/oauth/authorize.mts', ...pages];
const oauth2 = [1, 2, 3].map((step) => `docs/images/oauth2-${step}.webp`);

/** The workflow of an example; the picture is asked for by its path. */
const examples = readdirSync(join(root, 'examples'))
	.filter((file) => file.endsWith('.json'))
	.map((file) => basename(file, '.json'))
	.sort()
	.map((name) => {
		const shows = ['canvas', ...icons, `examples/${name}.json`];
		return [`examples/${name}`, { files: [`examples/images/${name}.webp`], shows }];
	});

/**
 * Every picture that `npm run pictures` makes: its files, and what of this repository is seen on it, as a file or
 * as one of the parts above.
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
	...Object.fromEntries(examples),
};

/** @type {(name: string) => string} changes when the picture has to be made again */
function fingerprint(name) {
	const { shows = [] } = pictures[name] ?? {};
	const shown = shows.map((what) => parts[what]?.() ?? readFileSync(join(root, what), 'utf8'));
	return hash('sha256', shown.join());
}

module.exports = { fingerprint, pictures, root };
