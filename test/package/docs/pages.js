const { readFileSync } = require('node:fs');
const { join, matchesGlob, posix } = require('node:path');
const { parse: parseHtml } = require('node-html-parser');
const { parsers } = require('prettier/plugins/markdown');
const { root } = require('../built');
const { files } = require('./tracked');

/**
 * @typedef {object} Node of a page, as prettier's parser of Markdown gives it
 * @property {string} type
 * @property {string} [value]
 * @property {string} [url]
 * @property {string | null} [alt]
 * @property {string | null} [lang]
 * @property {Node[]} [children]
 * @property {{ start: { line: number } }} position
 *
 * @typedef {{ text: string, line: number }} Piece
 * @typedef {{ header: string[], rows: Array<Array<string>>, lines: number[], headings: string[] }} Table
 *
 * @typedef {object} Page
 * @property {string} path from the root of the repository
 * @property {string} source
 * @property {Set<string>} anchors
 * @property {Piece[]} links
 * @property {Array<{ src: string, alt?: string, line: number }>} pictures
 * @property {Array<{ src: string, line: number }>} sources of which a browser chooses one for a picture
 * @property {Array<Piece & { lang: string }>} blocks of code
 * @property {Piece[]} inlineCode
 * @property {Piece[]} prose
 * @property {Table[]} tables
 */

const PAGES = [
	'*.md',
	'docs/*.md',
	'examples/*.md',
	'playground/service/README.md',
	'.github/*.md',
];

/**
 * @param {Node} node
 * @returns {string}
 */
const textOf = ({ value, alt, type, children = [] }) =>
	type === 'html' ? '' : (value ?? alt ?? children.map(textOf).join(''));

/** How GitHub names the anchor of a heading. */
const slugOf = (/** @type {string} */ text) =>
	text
		.trim()
		.toLowerCase()
		.replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
		.replaceAll(' ', '-');

/** GitHub numbers an anchor that is there already. */
function addAnchor(/** @type {Set<string>} */ anchors, /** @type {string} */ slug) {
	let anchor = slug;
	for (let count = 1; anchors.has(anchor); count++) anchor = `${slug}-${count}`;
	anchors.add(anchor);
}

/** @type {(page: Page, html: string, line: number) => void} */
function readHtml(page, html, line) {
	const dom = parseHtml(html);
	for (const element of dom.querySelectorAll('img')) {
		const { src = '', alt } = element.attributes;
		page.pictures.push({ src, alt, line });
	}
	for (const element of dom.querySelectorAll('source')) {
		for (const candidate of (element.attributes.srcset ?? '').split(',')) {
			page.sources.push({ src: candidate.trim().split(/\s/)[0] ?? '', line });
		}
	}
	for (const element of dom.querySelectorAll('a')) {
		const { href, id, name } = element.attributes;
		if (href !== undefined) page.links.push({ text: href, line });
		for (const anchor of [id, name]) if (anchor) page.anchors.add(anchor);
	}
}

/** @type {(page: Page, node: Node, headings: string[]) => void} */
function readNode(page, node, headings) {
	const { type, value = '', url = '', children = [] } = node;
	const { line } = node.position.start;
	if (type === 'heading') {
		addAnchor(page.anchors, slugOf(textOf(node)));
		headings.unshift(textOf(node));
	}
	if (type === 'link' || type === 'definition') page.links.push({ text: url, line });
	if (type === 'image') page.pictures.push({ src: url, alt: node.alt ?? undefined, line });
	if (type === 'html') readHtml(page, value, line);
	if (type === 'code') page.blocks.push({ text: value, line, lang: node.lang ?? '' });
	if (type === 'inlineCode') page.inlineCode.push({ text: value, line });
	if (type === 'text') page.prose.push({ text: value, line });
	if (type === 'table') {
		const [header = [], ...rows] = children.map((row) =>
			(row.children ?? []).map((cell) => textOf(cell).trim()),
		);
		const lines = children.slice(1).map((row) => row.position.start.line);
		page.tables.push({ header, rows, lines, headings: [...headings] });
	}
	for (const child of children) readNode(page, child, headings);
}

/** @type {(path: string) => Promise<Page>} */
async function readPage(path) {
	const source = readFileSync(join(root, path), 'utf8');
	/** @type {Page} */
	const page = {
		...{ path, source, anchors: new Set(), links: [], pictures: [], sources: [] },
		...{ blocks: [], inlineCode: [], prose: [], tables: [] },
	};
	// The parser uses none of its options.
	readNode(page, await parsers.markdown.parse(source, /** @type {any} */ ({})), []);
	return page;
}

/** Every page that people read. */
const readPages = async () =>
	await Promise.all(
		[...files]
			.filter((path) => PAGES.some((pattern) => matchesGlob(path, pattern)))
			.sort()
			.map(readPage),
	);

/** @type {(page: Page, target: string) => string} */
const fromRoot = ({ path }, target) => posix.normalize(posix.join(posix.dirname(path), target));

/** @type {(page: Page, line: number, message: string) => string} */
const at = ({ path }, line, message) => `${path}:${line} ${message}`;

/**
 * Every place of a page where a pattern is found; a space in the pattern is any white space.
 *
 * @type {(page: Page, pattern: RegExp) => Array<{ match: RegExpExecArray, line: number }>}
 */
function find({ source }, pattern) {
	const spaced = new RegExp(pattern.source.replaceAll(' ', '\\s+'), `${pattern.flags}g`);
	return [...source.matchAll(spaced)].map((match) => ({
		match,
		line: source.slice(0, match.index).split('\n').length,
	}));
}

module.exports = { readPages, fromRoot, at, find };
