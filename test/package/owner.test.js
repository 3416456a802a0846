const { spawnSync } = require('node:child_process');
const { readFileSync } = require('node:fs');
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
	const OTHERS = ['n8n-io/n8n', 'nodejs/node-gyp', 'stryker-mutator/mutation-testing-elements'];

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
	const paths = [...files].filter(isText);
	const { author, repository: address } = manifest;
	const [, organisation = '', name = ''] = /([^/]+)\/([^/]+)\.git$/.exec(address.url) ?? [];
	const back = [
		...['--organisation', organisation, '--repository', name],
		...['--author', author.name, '--email', author.email],
	];

	/** @type {string} */
	let folder;
	beforeEach(() => {
		folder = copyOfRepository(isText);
		for (const args of [
			['init', '-q'],
			['add', '.'],
		])
			spawnSync('git', args, { cwd: folder });
	});

	const owner = (/** @type {string[]} */ ...args) =>
		spawnSync(process.execPath, ['scripts/owner.mjs', ...args], { cwd: folder, encoding: 'utf8' });

	const contents = () => Object.fromEntries(paths.map((path) => [path, textOf(path, folder)]));

	test('writes all four everywhere, and back', () => {
		const before = contents();
		const first = ['--organisation', 'forms', '--repository', 'n8n.forms'];
		const names = ['--author', 'Forms & "Söhne" $&', '--email', 'forms+n8n@forms.example.org'];
		expect(owner(...first, ...names)).toMatchObject({ status: 0, stderr: '' });

		const changed = contents();
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

		expect(owner(...back).status).toBe(0);
		expect(contents()).toEqual(before);
		expect(owner().stdout).not.toContain('Changed');
	});

	test.each([
		[['--organisation', 'my org'], '--organisation cannot be "my org". Enter its name on GitHub'],
		[['--repository', 'my-repo.git'], '--repository cannot be'],
		[['--author', 'A\nB'], '--author cannot be'],
		[['--author', ''], '--author cannot be'],
		[
			['--author', 'Others', '--email', 'nobody'],
			'--email cannot be "nobody". Enter a mail address',
		],
		[['--email'], "'--email <value>' argument missing"],
		[['--author', 'My', 'Organisation'], "Unexpected argument 'Organisation'"],
		[['--owner', 'me'], "Unknown option '--owner'"],
	])('refuses %j, and changes nothing', (args, message) => {
		const before = contents();
		expect(owner(...args)).toMatchObject({ status: 1, stderr: expect.stringContaining(message) });
		expect(contents()).toEqual(before);
	});
});
