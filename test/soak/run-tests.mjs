// What `npm run test:soak` runs.
import { missingPrograms } from '../queue/programs.mts';
import { runNodeTests } from '../run/node-tests.mjs';

const missing = missingPrograms();
if (missing) {
	console.error(missing);
	console.log('0 passed, 1 failed');
	process.exitCode = 1;
} else {
	await runNodeTests(import.meta.dirname);
}
