const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { join, resolve } = require('node:path');

const root = resolve(__dirname, '..', '..');
const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8');

/** @param {'FormResponses' | 'FormResponsesTrigger'} name */
const descriptionOf = (name) =>
	new (require(join(root, `dist/nodes/FormResponses/${name}.node.js`))[name])().description;

/** @param {'FormResponsesOAuth2Api'} name */
function credential(name) {
	const type = new (require(join(root, `dist/credentials/${name}.credentials.js`))[name])();
	const { displayName, properties } = type;
	return { displayName, extends: type.extends, properties };
}

/** What can be seen on a picture of this repository. */
const parts = {
	trigger: () => descriptionOf('FormResponsesTrigger'),
	canvas: () =>
		[descriptionOf('FormResponses'), descriptionOf('FormResponsesTrigger')].map(
			({ displayName, subtitle, defaults, inputs, outputs }) => ({
				displayName,
				subtitle,
				defaults,
				inputs,
				outputs,
			}),
		),
	oAuth2: () => credential('FormResponsesOAuth2Api'),
	icons: () =>
		['formResponses', 'formResponses.dark'].map((name) =>
			read(`dist/nodes/FormResponses/${name}.svg`),
		),
	formPage: () =>
		['pages/form-page.mts', 'pages/layout.mts', 'pages/style.css'].map((name) =>
			read(`playground/service/${name}`),
		),
	consentPage: () =>
		['oauth/authorize.mts', 'pages/layout.mts', 'pages/style.css'].map((name) =>
			read(`playground/service/${name}`),
		),
};

/** @typedef {keyof typeof parts} Part */

/**
 * The SHA-256 of what a picture shows of this repository: another one when the picture has to be made anew.
 *
 * @param {import('./catalogue').Picture} picture
 */
function fingerprint({ shows, example }) {
	const shown = shows.map((part) => [part, parts[part]()]);
	if (example !== undefined) shown.push([example, JSON.parse(read(example))]);
	return createHash('sha256').update(JSON.stringify(shown)).digest('hex');
}

module.exports = { fingerprint };
