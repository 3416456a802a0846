const { execSync, spawnSync } = require('node:child_process');
const { cpSync, mkdtempSync, readFileSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { filesIn, manifest, repository, root } = require('./built');

const paths = filesIn('.', /(\.([cm]?[jt]s|json|md|ya?ml)|LICENSE|\.ci\/run)$/);
const folder = mkdtempSync(join(tmpdir(), 'form-responses-owner-'));
const contents = () =>
	Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));

beforeAll(() => {
	for (const path of paths) cpSync(join(root, path), join(folder, path));
	execSync('git init --quiet && git -c core.safecrlf=false add .', { cwd: folder });
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** @type {(wanted: Record<string, string>) => import('node:child_process').SpawnSyncReturns<string>} */
function owner(wanted) {
	const flags = Object.entries(wanted).flatMap(([flag, value]) => [`--${flag}`, value]);
	return spawnSync('node', ['tools/owner.mjs', ...flags], { cwd: folder, encoding: 'utf8' });
}

/** Apart from what follows it, so that the addresses below are none of this repository. */
const HOST = 'github.com';
const [organisation = '', name = ''] = repository.split('/');
const { name: author, email } = manifest.author;
const now = { organisation, repository: name, author, email };

test('every file names the repository as package.json does', () => {
	const places = new RegExp(`${HOST}[/:]([\\w-]+/${name})\\b`, 'g');
	const named = Object.values(contents()).flatMap((text) => [...text.matchAll(places)]);
	expect([...new Set(named.map(([, one]) => one))]).toEqual([repository]);
});

test('without flags it shows the owner', () => {
	const lines = owner({}).stdout.trimEnd().split('\n');
	expect(Object.fromEntries(lines.map((line) => line.split(/ {2,}/)))).toEqual(now);
});

test('flags change the owner in every file, and back', () => {
	const before = contents();
	const next = { author: 'Forms & "Söhne" $&', email: 'forms+n8n@forms.example.org' };
	owner({ organisation: 'forms', repository: 'n8n.forms', ...next });

	const changed = contents();
	expect(JSON.parse(changed['package.json'] ?? '')).toMatchObject({
		author: { name: next.author, email: next.email },
		repository: { url: `git+https://${HOST}/forms/n8n.forms.git` },
		homepage: `https://${HOST}/forms/n8n.forms#readme`,
	});
	expect(changed['.github/ISSUE_TEMPLATE/config.yml']).toContain(`${HOST}/forms/n8n.forms`);
	expect(changed['SECURITY.md']).toContain(next.email);
	expect(changed['CODE_OF_CONDUCT.md']).toContain(next.email);
	expect(changed.LICENSE).toMatch(/^Copyright \(c\) \d+ Forms & "Söhne" \$&$/m);
	expect(paths.filter((path) => changed[path]?.includes(`${HOST}/${organisation}/`))).toEqual([]);

	owner(now);
	expect(contents()).toEqual(before);
});

test.each([
	[{ organisation: 'my org' }, '--organisation cannot be "my org". Enter its name on GitHub'],
	[{ repository: 'my-repo.git' }, '--repository cannot be'],
	[{ owner: 'me' }, "Unknown option '--owner'"],
])('%j is refused, and nothing changes', (wrong, message) => {
	const before = contents();
	const { status, stderr } = owner({ author: 'Forms', ...wrong });
	expect([status, stderr]).toEqual([1, expect.stringContaining(message)]);
	expect(contents()).toEqual(before);
});
