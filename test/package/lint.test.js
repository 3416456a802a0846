const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { root } = require('./built');

// `n8n-node lint` compares it too, and then lints with it; warnings pass there.
test('the lint of the package is configured as n8n asks of a strict package', () => {
	const template = 'node_modules/@n8n/node-cli/dist/template/templates/shared/default';
	const [own, wanted] = ['', template].map((folder) =>
		readFileSync(join(root, folder, 'eslint.config.mjs'), 'utf8').replace(/\s+/g, ' '),
	);
	expect(own).toBe(wanted);
});
