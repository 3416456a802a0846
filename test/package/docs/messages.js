const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const ts = require('typescript');
const { root } = require('../built');
const { at } = require('./pages');
const { files } = require('./tracked');

/** @typedef {import('./pages').Page} Page */

/**
 * Texts that n8n itself shows, in lower case or not.
 *
 * @type {string[]}
 */
const OF_N8N = [
	'Unrecognized node type: n8n-nodes-form-responses.formResponsesTrigger',
	'This credential is configured to prevent use within an HTTP Request or GraphQL node',
];

/**
 * The texts in a file of code; what a template fills in is cut out.
 *
 * @type {(path: string) => string[]}
 */
function textsIn(path) {
	/** @type {string[]} */
	const texts = [];
	const visit = (/** @type {ts.Node} */ node) => {
		if (
			ts.isStringLiteralLike(node) ||
			ts.isTemplateHead(node) ||
			ts.isTemplateMiddleOrTemplateTail(node)
		) {
			texts.push(node.text);
		}
		ts.forEachChild(node, visit);
	};
	const source = readFileSync(join(root, path), 'utf8');
	visit(ts.createSourceFile(path, source, ts.ScriptTarget.Latest));
	return texts;
}

const texts = [
	...[...files].filter((path) => /^(nodes|credentials)\/.*\.ts$/.test(path)).flatMap(textsIn),
	...OF_N8N,
].map((text) => text.replace(/\s+/g, ' ').toLowerCase());

/** What stands between the places that vary, and between several messages in one cell. */
const partsOf = (/** @type {string} */ cell) =>
	cell
		.split(/…|\s\/\s|,\s|\sor\s/)
		.map((part) => part.replace(/^["“\s.]+|["”\s.]+$/g, ''))
		.filter((part) => /\p{L}{2}/u.test(part));

/** Each way to cut a text in two between words. */
const joints = (/** @type {string} */ text) =>
	[...text.matchAll(/ /g)].map(({ index }) => [text.slice(0, index), text.slice(index + 1)]);

/**
 * As the beginning of a text, or as whole ones that follow each other and then such a beginning.
 *
 * @type {(rest: string) => boolean}
 */
const goesOn = (rest) =>
	texts.some((text) => text.trimStart().startsWith(rest)) ||
	joints(rest).some(([left, right]) => texts.some((text) => text.trim() === left) && goesOn(right));

/** As one text, or as the end of one and what is filled in, or follows. */
function isSaid(/** @type {string} */ part) {
	const quoted = part.replace(/\s+/g, ' ').toLowerCase();
	if (texts.some((text) => text.includes(quoted))) return true;
	return joints(quoted).some(
		([left, right]) => texts.some((text) => text.trimEnd().endsWith(left)) && goesOn(right),
	);
}

/** The messages that a page quotes in the first column of its tables. */
const quotes = (/** @type {Page} */ page) =>
	page.tables
		.filter(({ header: [first = ''] }) => /^(you see|message|what you see|n8n says)/i.test(first))
		.flatMap(({ rows, lines }) =>
			rows.map(([cell = ''], index) => ({ cell, line: lines[index] ?? 0 })),
		);

/** @type {(page: Page) => string[]} */
const faultsOfMessages = (page) =>
	quotes(page).flatMap(({ cell, line }) =>
		partsOf(cell)
			.filter((part) => !isSaid(part))
			.map((part) => at(page, line, `no message has "${part}" (of "${cell}")`)),
	);

module.exports = { faultsOfMessages, quotes };
