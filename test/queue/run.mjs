// What `npm run test:queue` runs.
import { runNodeTests } from '../run/node-tests.mjs';
import { missingPrograms } from './programs.mts';

const missing = missingPrograms();
if (missing) {
	console.error(missing);
	console.log('0 passed, 1 failed');
	process.exitCode = 1;
} else {
	await runNodeTests(import.meta.dirname);
}
