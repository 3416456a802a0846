const { mkdirSync } = require('node:fs');
const { join } = require('node:path');

// n8n-core reads and writes its settings in this folder as soon as a context is made; workers that
// share it could read a file that is half written.
const folder = join(process.env.TEST_RUN_FOLDER ?? '', process.env.JEST_WORKER_ID ?? '');
mkdirSync(folder, { recursive: true });
process.env.N8N_USER_FOLDER = folder;

// What a test wants to know of the log, it keeps by itself.
process.env.N8N_LOG_LEVEL = 'silent';
