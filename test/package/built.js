const { existsSync, readdirSync } = require('node:fs');
const { join, resolve } = require('node:path');

const root = resolve(__dirname, '..', '..');
const dist = join(root, 'dist');

if (!existsSync(dist)) throw new Error('There is no dist folder. Run `npm run build` first.');

const SKIPPED = /^(node_modules|\.git|\.playground)$/;

/**
 * All files below a folder of the repository, by their path from the root.
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

module.exports = { root, dist, filesIn, manifest: require('../../package.json') };
