const { manifest } = require('../built');
const { at, fromRoot } = require('./pages');
const { files, folders } = require('./tracked');

/** @typedef {import('./pages').Page} Page */

const [, repository = ''] = /github\.com\/(.+)\.git$/.exec(manifest.repository.url) ?? [];

/** Where links may lead to: nothing is asked there, so each is worth a look by a person. */
const OUTSIDE = [
	/^https:\/\/n8n\.io(\/|$)/,
	/^https:\/\/(docs|community|creators)\.n8n\.io(\/|$)/,
	/^https:\/\/github\.com\/n8n-io\/n8n(\/|$)/,
	/^https:\/\/nodejs\.org(\/|$)/,
	/^https:\/\/(docs\.npmjs\.com|www\.npmjs\.com)(\/|$)/,
	/^https:\/\/docs\.github\.com(\/|$)/,
	/^https:\/\/keepachangelog\.com\//,
	/^https:\/\/semver\.org\//,
];

/** Pages of a repository on GitHub that are no file of it. */
const ON_GITHUB = /^(security\/advisories\/new|security|issues(\/new\/choose)?|pulls|releases)?$/;

const decoded = (/** @type {string} */ text) => decodeURIComponent(text);

/**
 * What is wrong with a path of the repository and the anchor behind it, if anything is.
 *
 * @type {(pages: Page[], path: string, anchor: string) => string | undefined}
 */
function faultOfPath(pages, path, anchor) {
	if (!files.has(path) && !folders.has(path) && path !== '.') {
		return `there is no ${path} in the repository (in git)`;
	}
	if (anchor === '' || !path.endsWith('.md')) return undefined;
	const page = pages.find((other) => other.path === path);
	return page?.anchors.has(anchor) ? undefined : `${path} has no heading #${anchor}`;
}

/**
 * What is wrong with an address in the repository of the package, if anything is.
 *
 * @type {(pages: Page[], rest: string) => string | undefined}
 */
function faultOnGitHub(pages, rest) {
	const [path = '', anchor = ''] = rest.replace(/^\//, '').split('#');
	const inMain = /^(?:blob|tree)\/main\/(.+)$/.exec(path)?.[1];
	if (inMain !== undefined) return faultOfPath(pages, inMain, anchor);
	if (path === '') {
		return anchor === 'readme' ? undefined : faultOfPath(pages, 'README.md', anchor);
	}
	return ON_GITHUB.test(path) ? undefined : `is ${path} a page of GitHub?`;
}

/** @type {(pages: Page[], page: Page, target: string) => string | undefined} */
function faultOf(pages, page, target) {
	if (target.startsWith('mailto:')) {
		return target === `mailto:${manifest.author.email}`
			? undefined
			: 'the address is not the one in package.json';
	}
	const own = `https://github.com/${repository}`;
	if (target === own || target.startsWith(`${own}/`) || target.startsWith(`${own}#`)) {
		return faultOnGitHub(pages, target.slice(own.length));
	}
	if (/^[a-z][a-z+.-]*:|^\/\//i.test(target)) {
		if (!target.startsWith('https://')) return 'not https';
		return OUTSIDE.some((pattern) => pattern.test(target))
			? undefined
			: 'a place that test/package/docs/links.js does not list';
	}
	const [path = '', anchor = ''] = target.split('#').map(decoded);
	if (path.startsWith('/')) return 'begins with a slash: give the path from this page';
	return faultOfPath(
		pages,
		path === '' ? page.path : fromRoot(page, path).replace(/\/$/, ''),
		anchor,
	);
}

/** @type {(pages: Page[]) => string[]} */
const faultsOfLinks = (pages) =>
	pages.flatMap((page) =>
		page.links.flatMap(({ text, line }) => {
			const fault = faultOf(pages, page, text);
			return fault === undefined ? [] : [at(page, line, `${text}: ${fault}`)];
		}),
	);

module.exports = { faultsOfLinks, faultOnGitHub, repository };
