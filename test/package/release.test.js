const { execSync, spawnSync } = require('node:child_process');
const { cpSync, mkdtempSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { manifest, root } = require('./built');

const folder = mkdtempSync(join(tmpdir(), 'form-responses-release-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a release tests, raises the version, commits and tags, and publishes nothing itself', () => {
	for (const file of ['package.json', 'CHANGELOG.md', '.release-it.json']) {
		cpSync(join(root, file), join(folder, file));
	}
	const author = '-c user.name=Release -c user.email=release@example.com';
	const git = ['init --quiet --initial-branch=main', '-c core.safecrlf=false add .'];
	for (const command of [...git, `${author} commit --quiet --message=Files`]) {
		execSync(`git ${command}`, { cwd: folder });
	}
	const releaseIt = join(root, 'node_modules', 'release-it', 'bin', 'release-it.js');
	const options = ['minor', '--ci', '--dry-run', '--no-git.requireUpstream', '--no-git.push'];
	const command = [releaseIt, ...options];
	// It tells its commands on standard error.
	const { stderr, status } = spawnSync('node', command, { cwd: folder, encoding: 'utf8' });
	expect(status).toBe(0);
	const [major, minor] = manifest.version.split('.').map(Number);
	const version = `${major}.${Number(minor) + 1}.0`;
	for (const step of [
		'npm test',
		`npm version ${version} --no-git-tag-version`,
		`git commit --message Release ${version}`,
		`git tag --annotate --message Release ${version} ${version}`,
	]) {
		expect(stderr).toContain(step);
	}
	expect(stderr).not.toMatch(/npm publish/);
});
