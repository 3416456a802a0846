const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { parsers } = require('prettier/plugins/markdown');
const { filesIn, root } = require('../built');

/**
 * @typedef {object} Node of a page, as prettier's parser of Markdown gives it
 * @property {string} type
 * @property {string} [value]
 * @property {string} [url]
 * @property {string | null} [alt]
 * @property {Node[]} [children]
 * @property {{ start: { line: number } }} position
 *
 * @typedef {{ header: string[], rows: Array<{ cells: string[], line: number }> }} Table
 * @typedef {{ path: string, source: string, nodes: Node[], tables: Table[] }} Page
 */

/** @type {(node: Node) => string} */
const textOf = ({ value, children = [] }) => value ?? children.map(textOf).join('');

/** @type {(node: Node) => Node[]} */
const flattened = (node) => [node, ...(node.children ?? []).flatMap(flattened)];

/** @type {(table: Node) => Table} */
function readTable({ children = [] }) {
	const rows = children.map(({ children: cells = [], position }) => ({
		cells: cells.map((cell) => textOf(cell).replace(/\s+/g, ' ').trim()),
		line: position.start.line,
	}));
	return { header: rows[0]?.cells ?? [], rows: rows.slice(1) };
}

/** @type {(path: string) => Promise<Page>} */
async function readPage(path) {
	const source = readFileSync(join(root, path), 'utf8');
	// The parser uses none of its options.
	const nodes = flattened(await parsers.markdown.parse(source, /** @type {any} */ ({})));
	const tables = nodes.filter(({ type }) => type === 'table').map(readTable);
	return { path, source, nodes, tables };
}

const pages = Promise.all(filesIn('.', /\.md$/).map(readPage));

/** @type {(path: string) => Promise<Page>} */
async function pageAt(path) {
	const page = (await pages).find((other) => other.path === path);
	if (page === undefined) throw new Error(`There is no page ${path}.`);
	return page;
}

/** What was true of a version stays in the changelog. */
const pagesOfToday = async () => (await pages).filter(({ path }) => path !== 'CHANGELOG.md');

/** @type {(page: Page, place: { line: number }, fault: string) => string} */
const at = ({ path }, { line }, fault) => `${path}:${line} ${fault}`;

module.exports = { at, pageAt, pages, pagesOfToday, textOf };
