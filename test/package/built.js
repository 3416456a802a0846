const { existsSync, readdirSync } = require('node:fs');
const { join, resolve } = require('node:path');
const manifest = require('../../package.json');

const root = resolve(__dirname, '..', '..');

if (!existsSync(join(root, 'dist'))) {
	throw new Error('There is no dist folder. Run `npm run build` first.');
}

/** The repository on GitHub: organisation and name. */
const [, repository = ''] = /github\.com\/(.+)\.git$/.exec(manifest.repository.url) ?? [];

const SKIPPED = /^(node_modules|dist|coverage|\.git|\.playground|\.stryker-tmp)$/;

/**
 * The files in a folder of the repository, by their path from the root.
 *
 * @param {string} folder
 * @returns {string[]}
 */
function filesIn(folder, pattern = /./) {
	return readdirSync(join(root, folder), { withFileTypes: true })
		.filter(({ name }) => !SKIPPED.test(name))
		.flatMap((entry) => {
			const path = join(folder, entry.name).replaceAll('\\', '/');
			return entry.isDirectory() ? filesIn(path, pattern) : pattern.test(path) ? [path] : [];
		})
		.sort();
}

module.exports = { root, filesIn, manifest, repository };
