const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { filesIn, root } = require('../built');
const { at, pageAt } = require('./pages');

/** What n8n itself says. */
const OF_N8N = [
	'Unrecognized node type: n8n-nodes-form-responses.formResponsesTrigger',
	'This credential is configured to prevent use within an HTTP Request or GraphQL node',
];

/** The code with `|` wherever a text begins or ends, or something is filled in. */
const code = [
	...[...filesIn('nodes', /\.ts$/), ...filesIn('credentials', /\.ts$/)].map((path) =>
		readFileSync(join(root, path), 'utf8'),
	),
	...OF_N8N,
]
	.join('\n')
	.replace(/\$\{|[}`"]|(?<!\w)'|'(?!\w)/g, '|')
	.replace(/\s+/g, ' ')
	.toLowerCase();

/**
 * In one text, or as texts that follow each other.
 *
 * @type {(message: string, begin?: string) => boolean}
 */
const isSaid = (message, begin = '') =>
	code.includes(begin + message) ||
	[...message.matchAll(/ /g)].some(({ index }) => {
		const [text, rest] = [message.slice(0, index), message.slice(index + 1)];
		// A single word between two others, such as "is", says nothing.
		if (begin !== '' && !text.includes(' ')) return false;
		const isText = code.includes(`${begin}${text}|`) || code.includes(`${begin}${text} |`);
		return isText && (isSaid(rest, '|') || isSaid(rest, '| '));
	});

/** What stands between the places that vary, and between messages in one cell. */
const partsOf = (/** @type {string} */ cell) =>
	cell
		.toLowerCase()
		.split(/…|"| \/ |\.$/)
		.map((part) => part.trim())
		.filter((part) => /\p{L}{2}/u.test(part));

test('every message in docs/troubleshooting.md is one that people see', async () => {
	const page = await pageAt('docs/troubleshooting.md');
	const quotes = page.tables
		.filter(({ header: [first = ''] }) => /^(you see|message)/i.test(first))
		.flatMap(({ rows }) => rows);
	expect(quotes.length).toBeGreaterThan(20);
	const faults = quotes.flatMap((row) =>
		partsOf(row.cells[0] ?? '')
			.filter((part) => !isSaid(part))
			.map((part) => at(page, row, `no message has "${part}"`)),
	);
	expect(faults).toEqual([]);
});
