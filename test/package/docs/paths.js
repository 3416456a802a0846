const { existsSync } = require('node:fs');
const { join } = require('node:path');
const { root } = require('../built');
const { at } = require('./pages');
const { files, folders } = require('./tracked');

/** @typedef {import('./pages').Page} Page */

const ENDING = /\.([cm]?[jt]s|json|md|ya?ml|webp|svg|html)$/;

/** What looks like a path of the repository and is none: types of content, names of packages, places in an n8n. */
const OTHERS =
	/^(application|text|image)\/|^[@~$/]|^\.n8n\b|^https?:|^node_modules\/|^n8n-nodes-base\//;

const looksLikePath = (/** @type {string} */ text) =>
	/^[\w.<>*/-]+$/.test(text) &&
	!/^[.*]?\.?\w+$/.test(text) &&
	!OTHERS.test(text) &&
	(ENDING.test(text) || /\w\/|^\.\w+\//.test(text));

const escaped = (/** @type {string} */ text) => text.replace(/[\\^$.+?()[\]{}|]/g, '\\$&');

/** From the root or from any folder, with or without the ending; `<name>` and `*` stand for a name. */
function pattern(/** @type {string} */ text) {
	const names = escaped(text.replace(/\/$/, '')).replace(/<[^>]*>|\*/g, '[^/]*');
	return new RegExp(`(^|/)${names}(\\.\\w+)?$`);
}

const all = [...files, ...folders];

const exists = (/** @type {string} */ text) =>
	/^dist(\/|$)/.test(text)
		? existsSync(join(root, text))
		: (text.endsWith('/') ? [...folders] : all).some((path) => pattern(text).test(path));

/** @type {(pages: Page[]) => string[]} */
const faultsOfPaths = (pages) =>
	pages.flatMap((page) =>
		page.inlineCode
			.filter(({ text }) => looksLikePath(text) && !exists(text))
			.map(({ text, line }) => at(page, line, `${text}: there is no such file or folder`)),
	);

module.exports = { faultsOfPaths };
