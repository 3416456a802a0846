const { mkdtempSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');

/** A folder for what n8n-core writes during this run of the tests. */
module.exports = () => {
	process.env.TEST_RUN_FOLDER = mkdtempSync(join(tmpdir(), 'form-responses-test-'));
};
