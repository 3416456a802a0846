// node test/run/folder.mts FOLDER [--concurrency 3]: runs its *.test.mts, each of which has to pass.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { conclude, runFiles } from './node-tests.mts';

const { values, positionals } = parseArgs({
	options: { concurrency: { type: 'string', default: '1' } },
	allowPositionals: true,
});
const [folder, ...others] = positionals;
if (folder === undefined || others.length > 0) throw new Error('Name one folder of tests.');
const files = globSync(join(folder, '*.test.mts')).sort();
const { passed, failed, leftOut } = await runFiles(files, {
	concurrency: Number(values.concurrency),
});
if (files.length === 0) console.log(`There is no test in ${folder}.`);
if (leftOut > 0) console.log(`Skipped or left to do, which counts as failed: ${leftOut}`);
conclude({ passed, failed: failed + leftOut });
