const { spawnSync } = require('node:child_process');
const { mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const { manifest, root } = require('./built');
const { copyOfRepository, removeCopies } = require('./docs/copy');
const { repository } = require('./docs/links');
const { files } = require('./docs/tracked');

const isText = (/** @type {string} */ path) =>
	/\.([cm]?[jt]s|json|md|ya?ml)$|(^|\/)(LICENSE|run)$/.test(path) &&
	!path.endsWith('package-lock.json');

const textOf = (/** @type {string} */ path, folder = root) =>
	readFileSync(join(folder, path), 'utf8');

/** Apart from what follows it, so that the addresses below are none of this repository. */
const HOST = 'github.com';

afterAll(removeCopies);

describe('every file says whose package it is as package.json does', () => {
	const OTHERS = [
		'n8n-io/n8n',
		'nodejs/node-gyp',
		'stryker-mutator/mutation-testing-elements',
		// Made up, in what `npm run owner` says.
		'my-org/my-repo',
	];

	test('the repository', () => {
		const others = [...files].filter(isText).flatMap((path) =>
			[...textOf(path).matchAll(/(?<![\w.])github\.com[/:]([\w-]+\/[\w.-]*\w)/g)]
				.map(([, name = '']) => name.replace(/\.git$/, ''))
				.filter((name) => name !== repository && !OTHERS.includes(name))
				.map((name) => `${path}: ${name}`),
		);
		expect(others).toEqual([]);
		expect(manifest.homepage).toBe(`https://github.com/${repository}#readme`);
	});

	test('the name', () => {
		expect(textOf('LICENSE')).toMatch(/^Copyright \(c\) [\d-]+ .+$/m);
		const [, holder] = /^Copyright \(c\) [\d-]+ (.+)$/m.exec(textOf('LICENSE')) ?? [];
		expect(holder).toBe(manifest.author.name);
	});

	test.each(['SECURITY.md', 'CODE_OF_CONDUCT.md'])('the address, in %s', (path) => {
		const addresses = textOf(path).match(/[\w.+-]+@[\w.-]+\w/g);
		expect([...new Set(addresses)]).toEqual([manifest.author.email]);
	});
});

describe('npm run owner', () => {
	/** @type {(folder: string, ...args: string[]) => { status: number | null, stdout: string, stderr: string }} */
	const owner = (folder, ...args) =>
		spawnSync(process.execPath, [join(folder, 'scripts', 'owner.mjs'), ...args], {
			encoding: 'utf8',
		});

	const paths = [...files].filter(isText);
	const contents = (/** @type {string} */ folder) =>
		Object.fromEntries(paths.map((path) => [path, textOf(path, folder)]));

	const { author, repository: address } = manifest;
	const [, organisation = '', name = ''] = /([^/]+)\/([^/]+)\.git$/.exec(address.url) ?? [];
	const back = [
		...['--organisation', organisation, '--repository', name],
		...['--author', author.name, '--email', author.email],
	];

	/** @type {string} */
	let folder;
	beforeEach(() => (folder = copyOfRepository(isText)));

	test('writes all four everywhere, to another one after that, and back', () => {
		const before = contents(folder);
		const first = ['--organisation', 'forms', '--repository', 'n8n.forms'];
		const names = ['--author', 'Forms & "Söhne" $&', '--email', 'forms+n8n@forms.example.org'];
		expect(owner(folder, ...first, ...names)).toMatchObject({ status: 0, stderr: '' });

		const changed = contents(folder);
		for (const path of ['package.json', 'SECURITY.md', '.github/ISSUE_TEMPLATE/config.yml']) {
			expect(changed[path]).toContain(`${HOST}/forms/n8n.forms`);
		}
		expect(changed.LICENSE).toMatch(/^Copyright \(c\) \d+ Forms & "Söhne" \$&$/m);
		expect(JSON.parse(changed['package.json'] ?? '')).toMatchObject({
			author: { name: 'Forms & "Söhne" $&', email: 'forms+n8n@forms.example.org' },
			repository: { url: `git+https://${HOST}/forms/n8n.forms.git` },
			homepage: `https://${HOST}/forms/n8n.forms#readme`,
		});
		const left = paths.filter((path) => changed[path]?.includes(`github.com/${organisation}/`));
		expect(left).toEqual([]);

		expect(owner(folder, '--organisation', 'other').status).toBe(0);
		expect(textOf('SECURITY.md', folder)).toContain(`${HOST}/other/n8n.forms/security`);
		expect(textOf('SECURITY.md', folder)).toContain('<forms+n8n@forms.example.org>');

		expect(owner(folder, ...back).status).toBe(0);
		expect(contents(folder)).toEqual(before);
	});

	test('given again it changes nothing, and says so', () => {
		const before = contents(folder);
		const { status, stdout } = owner(folder, ...back);
		expect([status, stdout]).toEqual([0, expect.stringContaining('Nothing changed.')]);
		expect(contents(folder)).toEqual(before);
	});

	test('goes on where it was killed', () => {
		const args = ['--organisation', 'my-org', '--email', 'people@my-org.com'];
		const half = textOf('SECURITY.md', folder)
			.replaceAll(`github.com/${organisation}`, 'github.com/my-org')
			.replaceAll(author.email, 'people@my-org.com');
		writeFileSync(join(folder, 'SECURITY.md'), half);
		expect(owner(folder, ...args).status).toBe(0);
		expect(textOf('SECURITY.md', folder)).toBe(half);
		expect(textOf('CODE_OF_CONDUCT.md', folder)).toContain('<people@my-org.com>');
	});

	test('with --dry-run it only says what it would change', () => {
		const before = contents(folder);
		const { status, stdout } = owner(folder, '--author', 'Others', '--dry-run');
		expect([status, stdout]).toEqual([0, expect.stringContaining('Would change LICENSE')]);
		expect(contents(folder)).toEqual(before);
	});

	test('without a flag it says what is set, and how to change it', () => {
		const { status, stdout } = owner(folder);
		expect(status).toBe(0);
		for (const part of [organisation, name, author.name, author.email, '--organisation my-org']) {
			expect(stdout).toContain(part);
		}
	});

	test.each([
		[['--organisation', 'my org'], '--organisation cannot be "my org". Enter the name'],
		[['--organisation=https://github.com/my-org'], '--organisation cannot be'],
		[['--repository', '..'], '--repository cannot be ".."'],
		[['--repository', 'my-repo.git'], 'without .git'],
		[['--author', 'A\nB'], '--author cannot be'],
		[['--author', ''], '--author has no value. Enter a name'],
		[['--email', 'nobody'], '--email cannot be "nobody". Enter one mail address'],
		[['--email'], '--email has no value'],
		[['--author', 'My', 'Organisation'], '"Organisation" belongs to no flag.'],
		[['--owner', 'me'], 'There is no flag --owner. The flags are --organisation'],
		[['--email', 'a@b.org', '--email', 'c@d.org'], '--email is there more than once.'],
		[['--author', '--email', 'a@b.org'], '--author has no value'],
		[['--dry-run'], '--dry-run alone shows nothing.'],
		[['--author', 'Others', '--email', 'wrong'], '--email cannot be "wrong"'],
	])('refuses %j', (args, message) => {
		const before = contents(folder);
		const { status, stderr } = owner(folder, ...args);
		expect([status, stderr]).toEqual([1, expect.stringContaining(message)]);
		expect(stderr).toMatch(/\nNothing was changed\.\n$/);
		expect(contents(folder)).toEqual(before);
	});

	test('refuses a package.json that does not say whose it is', () => {
		const path = join(folder, 'package.json');
		writeFileSync(path, textOf('package.json', folder).replace(address.url, 'somewhere'));
		const { status, stderr } = owner(folder, '--author', 'Others');
		expect([status, stderr]).toEqual([1, expect.stringContaining('"repository.url"')]);
	});

	test.each([
		['is not there', 'none/file.md', 'none/file.md cannot be written'],
		['is a folder', 'a-folder', 'a-folder could not be written'],
	])('changes nothing where one file %s', (_, path, message) => {
		mkdirSync(join(folder, 'a-folder'));
		const before = contents(folder);
		const changed = ['LICENSE', path, 'package.json'].map((of) => ({
			path: of,
			before: before[of] ?? '',
			after: 'changed',
		}));
		const code = `import { writeAll } from './scripts/owner/files.mjs';
			writeAll('.', ${JSON.stringify(changed)});`;
		const args = ['--input-type=module', '--eval', code];
		const { stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
		expect(stderr).toContain(message);
		expect(contents(folder)).toEqual(before);
	});
});
