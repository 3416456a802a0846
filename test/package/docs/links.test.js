const { readFileSync } = require('node:fs');
const { join, posix } = require('node:path');
const { filesIn, repository, root } = require('../built');
const { readPages, textOf } = require('./pages');

/** @typedef {{ path: string, line: number, target: string }} Link */

const files = filesIn('.');
const own = `https://github.com/${repository}`;

/** Pages of a repository on GitHub that are no file of it. */
const ON_GITHUB = ['issues', 'pulls', 'releases', 'security', 'security/advisories/new'];

/** @type {import('./pages').Page[]} */
let pages;
beforeAll(async () => (pages = await readPages()));

/** How GitHub names the anchors of a page's headings. */
function anchorsOf(/** @type {string} */ path) {
	/** @type {string[]} */
	const anchors = [];
	for (const node of pages.find((page) => page.path === path)?.nodes ?? []) {
		if (node.type !== 'heading') continue;
		const name = textOf(node).toLowerCase().replaceAll(' ', '-');
		const slug = name.replace(/[^\p{L}\p{N}_-]/gu, '');
		const earlier = anchors.filter((anchor) => anchor.replace(/-\d+$/, '') === slug).length;
		anchors.push(earlier === 0 ? slug : `${slug}-${earlier}`);
	}
	return anchors;
}

/** @type {() => Link[]} */
const linksInPages = () =>
	pages.flatMap(({ path, nodes }) =>
		nodes.flatMap(({ type, url, value = '', position: { start } }) => {
			const inHtml = type === 'html' ? [...value.matchAll(/\b(?:src|href)="([^"]*)"/g)] : [];
			const targets = [...(url === undefined ? [] : [url]), ...inHtml.map(([, src = '']) => src)];
			return targets.map((target) => ({ path, line: start.line, target }));
		}),
	);

/** @type {() => Link[]} */
const linksInOtherFiles = () =>
	filesIn('.', /^(nodes|credentials|\.github|package\.json).*(\.ts|\.ya?ml|[^k]\.json)$/).flatMap(
		(path) =>
			readFileSync(join(root, path), 'utf8')
				.split('\n')
				.flatMap((text, index) =>
					(text.match(/https:\/\/[^\s'"<>)]+(?<!\.git)/g) ?? []).map((target) => ({
						...{ path, line: index + 1, target },
					})),
				),
	);

/** @type {(link: Link) => string | undefined} */
function faultOf({ path: from, target }) {
	const [address = '', anchor] = decodeURI(target).split('#');
	const isOwn = address === own || address.startsWith(`${own}/`);
	if (/^[a-z]+:/.test(address) && !isOwn) return undefined;
	const onGitHub = address.slice(own.length + 1);
	if (isOwn && ON_GITHUB.includes(onGitHub)) return undefined;
	const inMain = onGitHub.replace(/^(blob|tree)\/main\//, '') || 'README.md';
	const relative = address === '' ? from : posix.join(posix.dirname(from), address);
	const path = isOwn ? inMain : relative.replace(/\/$/, '');
	if (path !== '.' && !files.some((file) => file === path || file.startsWith(`${path}/`))) {
		return `there is no ${path}`;
	}
	if (anchor === undefined || anchor === 'readme' || !path.endsWith('.md')) return undefined;
	return anchorsOf(path).includes(anchor) ? undefined : `${path} has no heading #${anchor}`;
}

const faultsOf = (/** @type {Link[]} */ links) =>
	links.flatMap((link) => {
		const fault = faultOf(link);
		return fault === undefined ? [] : [`${link.path}:${link.line} ${link.target}: ${fault}`];
	});

test('links and pictures of the pages lead to files and headings that are there', () => {
	expect(linksInPages().length).toBeGreaterThan(100);
	expect(faultsOf(linksInPages())).toEqual([]);
});

test('so do addresses of the repository in other files', () => {
	expect(linksInOtherFiles().length).toBeGreaterThan(5);
	expect(faultsOf(linksInOtherFiles())).toEqual([]);
});

test('every picture has a text for who cannot see it', () => {
	const pictures = pages.flatMap(({ nodes }) => nodes.filter(({ type }) => type === 'image'));
	expect(pictures.filter(({ alt }) => !/\p{L}{2}/u.test(alt ?? ''))).toEqual([]);
});
