const { readFileSync } = require('node:fs');
const { join, posix } = require('node:path');
const { filesIn, repository, root } = require('../built');
const { pages, textOf } = require('./pages');

/**
 * @typedef {import('./pages').Page} Page
 * @typedef {{ from: string, target: string }} Link
 */

const files = filesIn('.');
const own = `https://github.com/${repository}`;

/** Pages of a repository on GitHub that are no file of it. */
const ON_GITHUB = ['issues', 'pulls', 'releases', 'security', 'security/advisories/new'];

/** @type {(page: Page) => string[]} as GitHub names the headings of a page */
const anchorsOf = ({ nodes }) =>
	nodes
		.filter(({ type }) => type === 'heading')
		.map((heading) => textOf(heading).toLowerCase())
		.map((text) => text.replace(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-'));

/** @type {(page: Page) => Link[]} */
const linksIn = ({ path: from, nodes }) =>
	nodes
		.flatMap(({ url = '', type, value = '' }) =>
			type === 'html' ? (value.match(/(?<=\b(?:src|href)=")[^"]+/g) ?? []) : url,
		)
		.filter(Boolean)
		.map((target) => ({ from, target }));

/** @type {(path: string) => Link[]} */
const linksInCode = (from) =>
	[...readFileSync(join(root, from), 'utf8').matchAll(/https:\/\/[^\s'"<>)]+/g)].map(
		([target]) => ({ from, target }),
	);

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

/** @type {(links: Link[]) => Promise<Link[]>} */
async function deadOf(links) {
	const anchors = new Map((await pages).map((page) => [page.path, anchorsOf(page)]));
	return links.filter(({ from, target }) => {
		const [address = '', anchor = 'readme'] = decodeURI(target).split('#');
		const path = pathOf(address, from);
		if (path === undefined || path === '.') return false;
		const isThere = files.some((file) => `${file}/`.startsWith(`${path}/`));
		return !isThere || (anchor !== 'readme' && anchors.get(path)?.includes(anchor) === false);
	});
}

test('every link and picture in a page leads to a file and a heading that exist', async () => {
	const links = (await pages).flatMap(linksIn);
	expect(links.length).toBeGreaterThan(100);
	expect(await deadOf(links)).toEqual([]);
});

test('every address of the repository in the code leads to a file and a heading that exist', async () => {
	const code = filesIn('.', /^(nodes|credentials|\.github)\/.*\.(ts|json|yml)$/);
	const links = code.flatMap(linksInCode);
	expect(links.length).toBeGreaterThan(5);
	expect(await deadOf(links)).toEqual([]);
});

test('every picture has a text for readers who cannot see it', async () => {
	const nodes = (await pages).flatMap((page) => page.nodes);
	const pictures = nodes.filter(({ type }) => type === 'image');
	expect(pictures.filter(({ alt }) => !/\p{L}{2}/u.test(alt ?? ''))).toEqual([]);
});
