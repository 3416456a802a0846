const { execFileSync, spawnSync } = require('node:child_process');
const { cpSync, mkdtempSync, readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { filesIn, manifest, repository, root } = require('./built');

const paths = filesIn('.', /(\.([cm]?[jt]s|json|md|ya?ml)|LICENSE|\.ci\/run)$/).filter(
	(path) => !path.endsWith('-lock.json'),
);

/** Apart from what follows it, so that the addresses below are none of this repository. */
const HOST = 'github.com';

const folder = mkdtempSync(join(tmpdir(), 'form-responses-owner-'));
const contents = () =>
	Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));

beforeAll(() => {
	for (const path of paths) cpSync(join(root, path), join(folder, path), { recursive: true });
	execFileSync('git', ['init', '--quiet'], { cwd: folder });
	execFileSync('git', ['-c', 'core.safecrlf=false', 'add', '.'], { cwd: folder });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const owner = (/** @type {string[]} */ ...args) =>
	spawnSync(process.execPath, ['tools/owner.mjs', ...args], { cwd: folder, encoding: 'utf8' });

test('every file names the repository as package.json does', () => {
	const [, name] = repository.split('/');
	const places = new RegExp(`${HOST}[/:]([\\w-]+/${name})\\b`, 'g');
	const named = Object.values(contents()).flatMap((text) => [...text.matchAll(places)]);
	expect([...new Set(named.map(([, one]) => one))]).toEqual([repository]);
});

test('node tools/owner.mjs changes the owner everywhere, and back', () => {
	const before = contents();
	const [organisation = '', name = ''] = repository.split('/');
	const { author } = manifest;

	const next = { name: 'Forms & "Söhne" $&', email: 'forms+n8n@forms.example.org' };
	owner('--organisation', 'forms', '--repository', 'n8n.forms');
	owner('--author', next.name, '--email', next.email);

	const changed = contents();
	expect(JSON.parse(changed['package.json'] ?? '')).toMatchObject({
		author: next,
		repository: { url: `git+https://${HOST}/forms/n8n.forms.git` },
		homepage: `https://${HOST}/forms/n8n.forms#readme`,
	});
	expect(changed['.github/ISSUE_TEMPLATE/config.yml']).toContain(`${HOST}/forms/n8n.forms`);
	expect(changed['SECURITY.md']).toContain(next.email);
	expect(changed['CODE_OF_CONDUCT.md']).toContain(next.email);
	expect(changed.LICENSE).toMatch(/^Copyright \(c\) \d+ Forms & "Söhne" \$&$/m);
	expect(paths.filter((path) => changed[path]?.includes(`${HOST}/${organisation}/`))).toEqual([]);

	owner('--organisation', organisation, '--repository', name);
	owner('--author', author.name, '--email', author.email);
	expect(contents()).toEqual(before);
});

test.each([
	[['--organisation', 'my org'], '--organisation cannot be "my org". Enter its name on GitHub'],
	[['--repository', 'my-repo.git'], '--repository cannot be'],
	[['--owner', 'me'], "Unknown option '--owner'"],
])('node tools/owner.mjs refuses %j, and changes nothing', (args, message) => {
	const before = contents();
	expect(owner(...args)).toMatchObject({ status: 1, stderr: expect.stringContaining(message) });
	expect(contents()).toEqual(before);
});
