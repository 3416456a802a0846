/** What n8n asks every node to say of itself. */
const describe = (/** @type {string} */ name, more = {}) => ({
	displayName: name,
	name: name.charAt(0).toLowerCase() + name.slice(1),
	group: ['transform'],
	version: 1,
	description: name,
	defaults: { name },
	inputs: ['main'],
	outputs: ['main'],
	properties: [],
	...more,
});

module.exports = { describe };
