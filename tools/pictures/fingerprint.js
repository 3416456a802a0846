const { hash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { root } = require('./catalogue');

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

/**
 * What a picture shows of this repository, as a hash: another one when the picture has to be made again.
 *
 * @param {{ shows: string[] }} picture
 */
function fingerprint({ shows }) {
	const shown = shows.map((what) => parts[what]?.() ?? readFileSync(join(root, what), 'utf8'));
	return hash('sha256', shown.join());
}

module.exports = { fingerprint };
