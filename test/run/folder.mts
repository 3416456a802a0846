// node test/run/folder.mts FOLDER [CONCURRENCY]: runs its *.test.mts, each of which has to pass.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { conclude, runFiles } from './node-tests.mts';

const [folder = '', concurrency = '1'] = process.argv.slice(2);
const files = globSync(join(folder, '*.test.mts')).sort();
if (files.length === 0) console.log(`There is no *.test.mts in the folder "${folder}".`);
conclude(await runFiles(files, Number(concurrency)));
