// What `npm run test:promise` runs. These tests wait for minutes, so three files share the machine.
import { runNodeTests } from '../run/node-tests.mjs';

await runNodeTests(import.meta.dirname, { concurrency: 3 });
