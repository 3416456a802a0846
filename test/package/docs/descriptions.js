const { basename, join } = require('node:path');
const { manifest, root } = require('../built');

/**
 * @typedef {object} Property
 * @property {string} displayName
 * @property {string} name
 * @property {string} type
 * @property {string} [description]
 * @property {unknown} default
 * @property {{ minValue?: number, maxValue?: number }} [typeOptions]
 * @property {{ show?: Record<string, unknown[]> }} [displayOptions]
 * @property {Array<Property & { value?: string }>} [options] choices, or the fields of a collection
 *
 * @typedef {{ displayName: string, properties: Property[] }} Description of a node or a credential
 */

/** @type {(path: string) => any} */
function instanceOf(path) {
	const name = basename(path).split('.')[0] ?? '';
	return new (require(join(root, path))[name])();
}

/** @type {Description[]} */
const nodes = manifest.n8n.nodes.map((path) => instanceOf(path).description);

/** @type {Description[]} */
const credentials = manifest.n8n.credentials.map(instanceOf);

/** What n8n's own OAuth2 credential adds. */
const OF_OAUTH2 = ['Client ID', 'Client Secret', 'OAuth Redirect URL'];

/** As people say it: without the unit. */
const shortName = (/** @type {Property} */ { displayName }) =>
	displayName.replace(/ \([^)]*\)$/, '');

/** @type {(description: Description, name: string) => Property[]} */
const collections = ({ properties }, name) =>
	properties.filter(({ displayName, type }) => type === 'collection' && displayName === name);

/** @type {(description: Description) => Property[]} */
const optionsOf = (description) =>
	collections(description, 'Options').flatMap(({ options = [] }) => options);

/** @type {(description: Description) => Property[]} */
const fieldsOf = ({ properties }) =>
	properties.filter(
		({ type, displayName }) =>
			!['notice', 'hidden', 'collection'].includes(type) && displayName !== '',
	);

/** @type {(property: Property, resource: string, operation?: string) => boolean} */
const isShownFor = ({ displayOptions: { show = {} } = {} }, resource, operation) =>
	(show.resource ?? []).includes(resource) &&
	(operation === undefined || (show.operation ?? []).includes(operation));

/** The operations of the node for actions, by the names that people see. */
const operations = nodes.flatMap(({ properties }) => {
	const resources = properties.find(({ name }) => name === 'resource')?.options ?? [];
	return resources.flatMap(({ name: resource, value = '' }) =>
		properties
			.filter((property) => property.name === 'operation' && isShownFor(property, value))
			.flatMap(({ options = [] }) => options)
			.map(({ name: operation, value: key = '' }) => ({
				resource,
				operation,
				properties: properties.filter((property) => isShownFor(property, value, key)),
			})),
	);
});

/**
 * The most that a number may be: the editor says it, and does not hold people to it while they type.
 *
 * @type {(property: Property) => number | undefined}
 */
function mostOf({ description = '' }) {
	const most = /\bat most (\d+)/.exec(description)?.[1];
	return most === undefined ? undefined : Number(most);
}

module.exports = {
	...{ nodes, credentials, operations, OF_OAUTH2 },
	...{ shortName, optionsOf, fieldsOf, mostOf },
};
