// node tools/runner/folder.mts PATH… [--at-once 2]: runs files, and the *.test.mts of folders; each has to pass.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { conclude, runFiles } from './node-tests.mts';

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { 'at-once': { type: 'string', default: '1' } },
});
const found = positionals.map((path) =>
	path.endsWith('.mts') ? [path] : globSync(join(path, '*.test.mts')).sort(),
);
for (const [index, files] of found.entries()) {
	if (files.length === 0) throw new Error(`There is no *.test.mts in ${positionals[index]}.`);
}
conclude(await runFiles([...new Set(found.flat())], Number(values['at-once'])));
