const { basename, join } = require('node:path');
const { MAX_RESPONSES } = require('../../../nodes/FormResponses/transport/endpoints');
const { manifest, root } = require('../built');

/**
 * @typedef {Record<string, any> & { options?: Property[] }} Property of a node or a credential, as n8n types it
 * @typedef {{ name: string, initial: string, choices: string[], numbers: number[] }} Fact
 */

const instances = [...manifest.n8n.nodes, ...manifest.n8n.credentials].map((path) => {
	const name = basename(path).split('.')[0] ?? '';
	return new (require(join(root, path))[name])();
});

/** @type {Property[][]} */
const [actions = [], trigger = [], ...credentials] = instances.map(
	({ description, properties = description.properties }) => properties,
);

/** @type {(property: Property) => string} what the editor shows before anything is entered */
function initialOf({ type, options = [], default: initial }) {
	if (type === 'boolean') return initial ? 'on' : 'off';
	const chosen = options.filter(({ value }) => [initial].flat().includes(value));
	if (chosen.length > 0) return chosen.map(({ name }) => name).join(', ');
	return typeof initial === 'object' || initial === '' ? '-' : String(initial);
}

/** @type {(property: Property) => Fact[]} a field, or the fields of a collection */
function factsOf(property) {
	const { type, displayName, description = '', options = [], typeOptions } = property;
	if (type === 'collection') return options.flatMap(factsOf);
	if (type === 'notice' || type === 'hidden' || displayName === '') return [];
	// The editor says the most that is allowed, and does not hold people to it while they type.
	const most = /\bat most (\d+)/.exec(description)?.[1];
	const numbers = [property.default, typeOptions?.minValue, most, MAX_RESPONSES].map(Number);
	return [
		{
			name: displayName.replace(/ \([^)]*\)$/, ''),
			initial: initialOf(property),
			choices: /options$/i.test(type) ? options.map(({ name }) => name) : [],
			numbers,
		},
	];
}

/** @type {(property: Property, ...values: string[]) => boolean} */
const isFor = ({ displayOptions: { show = {} } = {} }, ...values) =>
	values.every((value) => Object.values(show).flat().includes(value));

/**
 * The operations of the node for actions, by the names that people see, and their fields.
 *
 * @type {Array<{ name: string, path: string, facts: Fact[] }>}
 */
const operations = (actions.find(({ name }) => name === 'resource')?.options ?? []).flatMap(
	(resource) =>
		actions
			.filter((property) => property.name === 'operation' && isFor(property, resource.value))
			.flatMap(({ options = [] }) => options)
			.map((operation) => ({
				name: `${resource.name}: ${operation.name}`,
				path: `${resource.value}/${operation.value}`,
				facts: actions
					.filter((property) => isFor(property, resource.value, operation.value))
					.filter(({ displayName }) => displayName !== 'Options')
					.flatMap(factsOf),
			})),
);

module.exports = {
	operations,
	...{ actions: actions.flatMap(factsOf), trigger: trigger.flatMap(factsOf) },
	credentials: credentials.flat().flatMap(factsOf),
};
