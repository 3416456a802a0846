const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { root } = require('../built');
const { at, fromRoot } = require('./pages');
const { files } = require('./tracked');

/** @typedef {import('./pages').Page} Page */

/** @type {Record<string, (bytes: Buffer) => boolean>} */
const kinds = {
	webp: (bytes) =>
		bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP',
	svg: (bytes) => /^\s*(<\?xml[^>]*>\s*)?<svg[\s>]/.test(bytes.toString('utf8', 0, 1_000)),
};

/** @type {(page: Page, src: string) => string | undefined} */
function faultOfFile(page, src) {
	if (/^[a-z]+:|^\//i.test(src)) return 'not a path from this page';
	const path = fromRoot(page, decodeURIComponent(src));
	const isKind = kinds[/\.(\w+)$/.exec(path)?.[1] ?? ''];
	if (isKind === undefined) return 'neither .webp nor .svg';
	if (!files.has(path)) return `there is no ${path} in the repository (in git)`;
	return isKind(readFileSync(join(root, path))) ? undefined : 'its content is of another kind';
}

/** @type {(pages: Page[]) => string[]} */
const faultsOfPictures = (pages) =>
	pages.flatMap((page) => {
		const withoutText = page.pictures
			.filter(({ alt }) => !/\p{L}{2}/u.test(alt ?? ''))
			.map(({ src, line }) => at(page, line, `${src}: no text for who cannot see it (alt)`));
		const files = [...page.pictures, ...page.sources].flatMap(({ src, line }) => {
			const fault = faultOfFile(page, src);
			return fault === undefined ? [] : [at(page, line, `${src}: ${fault}`)];
		});
		return [...withoutText, ...files];
	});

/** @type {(pages: Page[]) => string[]} */
function unusedPictures(pages) {
	const used = new Set(
		pages.flatMap((page) =>
			[...page.pictures, ...page.sources].map(({ src }) => fromRoot(page, decodeURIComponent(src))),
		),
	);
	return [...files].filter(
		(path) => /^(docs|examples)\/images\/.+\.(webp|svg)$/.test(path) && !used.has(path),
	);
}

module.exports = { faultsOfPictures, unusedPictures };
