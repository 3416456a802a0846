const { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { dirname, join } = require('node:path');
const { root } = require('../built');
const { files } = require('./tracked');

/** @type {string[]} */
const made = [];

/**
 * A copy of the repository, which `removeCopies` removes.
 *
 * @param {(path: string) => boolean} isWanted
 * @param {string[]} [links] folders that are not copied
 */
function copyOfRepository(isWanted, links = []) {
	const folder = mkdtempSync(join(tmpdir(), 'form-responses-copy-'));
	made.push(folder);
	for (const path of [...files].filter(isWanted)) {
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		cpSync(join(root, path), join(folder, path));
	}
	for (const path of links) symlinkSync(join(root, path), join(folder, path), 'junction');
	return folder;
}

function removeCopies() {
	for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}

module.exports = { copyOfRepository, removeCopies };
