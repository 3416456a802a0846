// What `npm run test:e2e` runs.
import { runNodeTests } from '../run/node-tests.mjs';

await runNodeTests(import.meta.dirname);
