const { execFileSync } = require('node:child_process');
const { filesIn, root } = require('../built');

/** @returns {string[]} */
function listed() {
	try {
		const options = /** @type {const} */ ({ cwd: root, encoding: 'utf8', stdio: 'pipe' });
		return execFileSync('git', ['ls-files', '-z'], options).split('\0').filter(Boolean);
	} catch {
		return [];
	}
}

const inGit = listed();

/** The files of the repository, by their path from its root. Where there is no git, all that are there. */
const files = new Set(
	inGit.length > 0 ? inGit : filesIn('.').filter((path) => !path.startsWith('dist/')),
);

const folders = new Set(
	[...files].flatMap((path) => {
		const parts = path.split('/').slice(0, -1);
		return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
	}),
);

module.exports = { files, folders };
