// node test/run/folder.mts FOLDER [--concurrency 2]: runs its *.test.mts, each of which has to pass.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { conclude, runFiles } from './node-tests.mts';

const { values, positionals } = parseArgs({
	options: { concurrency: { type: 'string', default: '1' } },
	allowPositionals: true,
});
const [folder = '.', ...others] = positionals;
const files = globSync(join(folder, '*.test.mts')).sort();
if (files.length === 0 || others.length > 0) console.log('Name one folder that holds *.test.mts.');
conclude(
	others.length > 0 ? [] : await runFiles(files, { concurrency: Number(values.concurrency) }),
);
