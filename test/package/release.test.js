const { execFileSync, spawnSync } = require('node:child_process');
const { cpSync, mkdtempSync, readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { manifest, root } = require('./built');

const FILES = ['package.json', 'CHANGELOG.md', '.release-it.json'];

/** @type {string} */
let folder;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** @param {string[]} args */
const git = (...args) => execFileSync('git', args, { cwd: folder, encoding: 'utf8' });

/** What a release of the next minor version would do to a repository with these files. */
function release() {
	folder = mkdtempSync(join(tmpdir(), 'form-responses-release-'));
	for (const file of FILES) cpSync(join(root, file), join(folder, file));
	git('init', '--quiet', '--initial-branch=main');
	git('-c', 'core.safecrlf=false', 'add', '.');
	const author = ['-c', 'user.name=Release', '-c', 'user.email=release@example.com'];
	git(...author, 'commit', '--quiet', '--message=Files');
	const releaseIt = join(root, 'node_modules', 'release-it', 'bin', 'release-it.js');
	const options = ['minor', '--ci', '--dry-run', '--no-git.requireUpstream', '--no-git.push'];
	const run = spawnSync(process.execPath, [releaseIt, ...options], {
		cwd: folder,
		encoding: 'utf8',
	});
	// release-it tells its commands on standard error.
	return { output: run.stdout + run.stderr, status: run.status };
}

test('a release tests, raises the version, commits and tags, and publishes nothing itself', () => {
	const { output, status } = release();
	expect(status).toBe(0);
	const [major, minor] = manifest.version.split('.').map(Number);
	const version = `${major}.${minor + 1}.0`;
	expect(output).toContain('npm test');
	expect(output).toContain(`npm version ${version} --no-git-tag-version`);
	expect(output).toContain(`git commit --message Release ${version}`);
	expect(output).toContain(`git tag --annotate --message Release ${version} ${version}`);
	expect(output).not.toMatch(/npm publish/);
	for (const file of FILES) {
		expect(readFileSync(join(folder, file), 'utf8')).toBe(readFileSync(join(root, file), 'utf8'));
	}
});

test('what is published is built first, also on a clean clone', () => {
	expect(manifest.scripts.prepublishOnly).toBe(
		'node playground/setup.mjs package && npm run build',
	);
});
