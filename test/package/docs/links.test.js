const { readFileSync } = require('node:fs');
const { join, posix } = require('node:path');
const { filesIn, repository, root } = require('../built');
const { pages, textOf } = require('./pages');

/** @typedef {import('./pages').Page} Page */
/** @typedef {{ path: string, target: string }} Link */

const files = filesIn('.');
const own = `https://github.com/${repository}`;

/** Pages of a repository on GitHub that are no file of it. */
const ON_GITHUB = ['issues', 'pulls', 'releases', 'security', 'security/advisories/new'];

/** @type {(page: Page) => string[]} */
function anchorsOf({ nodes }) {
	// As GitHub names them.
	const names = nodes
		.filter(({ type }) => type === 'heading')
		.map((heading) =>
			textOf(heading)
				.toLowerCase()
				.replace(/[^\p{L}\p{N}_ -]/gu, ''),
		)
		.map((text) => text.replaceAll(' ', '-'));
	return names.map((name, index) => {
		const earlier = names.slice(0, index).filter((other) => other === name).length;
		return earlier === 0 ? name : `${name}-${earlier}`;
	});
}

/** @type {(page: Page) => Link[]} */
const linksIn = ({ path, nodes }) =>
	nodes.flatMap(({ url, type, value = '' }) => {
		const inHtml = type === 'html' ? [...value.matchAll(/\b(?:src|href)="([^"]*)"/g)] : [];
		const targets = [url ?? '', ...inHtml.map(([, target = '']) => target)];
		return targets.filter(Boolean).map((target) => ({ path, target }));
	});

/** @type {(path: string) => Link[]} */
const linksInCode = (path) =>
	(readFileSync(join(root, path), 'utf8').match(/https:\/\/[^\s'"<>)]+/g) ?? []).map((target) => ({
		...{ path, target },
	}));

/** @type {(address: string, from: string) => string | undefined} the file or folder, if it is one of the repository */
function pathOf(address, from) {
	if (address === '') return from;
	if (address === own) return 'README.md';
	if (address.startsWith(`${own}/`)) {
		const place = address.slice(own.length + 1).replace(/^(blob|tree)\/main\//, '');
		return ON_GITHUB.includes(place) ? undefined : place;
	}
	if (/^[a-z]+:/.test(address)) return undefined;
	return posix.join(posix.dirname(from), address).replace(/\/$/, '');
}

/** @type {(link: Link, pages: Page[]) => string[]} */
function faultsOf({ path: from, target }, all) {
	const [address = '', anchor = 'readme'] = decodeURI(target).split('#');
	const path = pathOf(address, from);
	if (path === undefined) return [];
	const page = all.find((one) => one.path === path);
	const isThere = path === '.' || files.some((file) => `${file}/`.startsWith(`${path}/`));
	const isRight = isThere && (!page || ['readme', ...anchorsOf(page)].includes(anchor));
	return isRight ? [] : [`${from} leads to no ${path}#${anchor}`];
}

test('links and pictures of the pages lead to files and headings that are there', async () => {
	const all = await pages;
	const links = all.flatMap(linksIn);
	expect(links.length).toBeGreaterThan(100);
	expect(links.flatMap((link) => faultsOf(link, all))).toEqual([]);
});

test('so do addresses of the repository in other files', async () => {
	const all = await pages;
	const links = filesIn('.', /^(nodes|credentials|\.github)\/.*\.(ts|json|yml)$/).flatMap(
		linksInCode,
	);
	expect(links.length).toBeGreaterThan(5);
	expect(links.flatMap((link) => faultsOf(link, all))).toEqual([]);
});

test('every picture has a text for who cannot see it', async () => {
	const pictures = (await pages).flatMap(({ nodes }) =>
		nodes.filter(({ type }) => type === 'image'),
	);
	expect(pictures.filter(({ alt }) => !/\p{L}{2}/u.test(alt ?? ''))).toEqual([]);
});
