const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { root } = require('./built');
const { faultsOfCommands, undescribedScripts } = require('./docs/commands');
const { faultsOfVariables } = require('./docs/environment');
const { faultOnGitHub, faultsOfLinks, repository } = require('./docs/links');
const { faultsOfMessages, quotes } = require('./docs/messages');
const { claimsIn, wordsOf } = require('./docs/numbers');
const { find, readPages } = require('./docs/pages');
const { faultsOfPaths } = require('./docs/paths');
const { faultsOfPictures, unusedPictures } = require('./docs/pictures');
const {
	faultsOfFields,
	faultsOfOperations,
	missingOperations,
	undescribed,
} = require('./docs/tables');
const { files } = require('./docs/tracked');
const { faultsOfWords } = require('./docs/vocabulary');

/** @typedef {import('./docs/pages').Page} Page */

/** @type {Page[]} */
let pages;
beforeAll(async () => (pages = await readPages()));

/** @type {(path: string) => Page} */
function pageAt(path) {
	const page = pages.find((other) => other.path === path);
	if (page === undefined) throw new Error(`There is no page ${path}.`);
	return page;
}

test('the pages are read', () => {
	const paths = pages.map(({ path }) => path);
	const expected = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CODE_OF_CONDUCT.md'];
	expect(paths).toEqual(expect.arrayContaining([...expected, 'docs/trigger.md']));
	for (const part of ['links', 'pictures', 'blocks', 'inlineCode', 'prose', 'tables']) {
		const count = pages.flatMap((page) => page[/** @type {'links'} */ (part)]).length;
		expect([part, count > 5]).toEqual([part, true]);
	}
});

describe('links', () => {
	test('lead to a file of the repository, to one of its headings, or to a place that is known', () => {
		expect(faultsOfLinks(pages)).toEqual([]);
	});

	test('from other files into the repository lead somewhere', () => {
		const address = new RegExp(`https://github\\.com/${repository}(?!\\.git)([^\\s'"<>)]*)`, 'g');
		const faults = [...files]
			.filter((path) => /\.([cm]?[jt]s|json|ya?ml)$/.test(path) && !path.endsWith('-lock.json'))
			.flatMap((path) =>
				[...readFileSync(join(root, path), 'utf8').matchAll(address)].flatMap(
					([whole, rest = '']) => {
						const fault = faultOnGitHub(pages, rest);
						return fault === undefined ? [] : [`${path} ${whole}: ${fault}`];
					},
				),
			);
		expect(faults).toEqual([]);
	});
});

describe('pictures', () => {
	test('are there, are webp or svg, and have a text', () => {
		expect(faultsOfPictures(pages)).toEqual([]);
	});

	test('are all used', () => {
		expect(unusedPictures(pages)).toEqual([]);
	});
});

describe('commands', () => {
	test('name scripts and files that are there', () => {
		expect(faultsOfCommands(pages)).toEqual([]);
	});

	test('of package.json are all described in CONTRIBUTING.md', () => {
		expect(undescribedScripts(pageAt('CONTRIBUTING.md'))).toEqual([]);
	});
});

test('every environment variable is read by something', () => {
	expect(faultsOfVariables(pages)).toEqual([]);
});

test('every path is one of the repository', () => {
	expect(faultsOfPaths(pages)).toEqual([]);
});

describe('what the nodes have', () => {
	test('fields and options are called as in the editor, with their defaults and limits', () => {
		expect(faultsOfFields(pages)).toEqual([]);
	});

	test('every field and option of the trigger is described', () => {
		expect(undescribed(pages)).toEqual([]);
	});

	test('operations are called as in the editor, with their limits and filters', () => {
		expect(faultsOfOperations(pages)).toEqual([]);
	});

	test('every operation is in the README', () => {
		expect(missingOperations(pageAt('README.md'))).toEqual([]);
	});
});

describe('numbers', () => {
	test('are those of the code', () => {
		const claims = claimsIn(pages);
		expect(claims.length).toBeGreaterThan(20);
		expect(claims.filter(({ isRight }) => !isRight).map(({ text }) => text)).toEqual([]);
	});

	test('the README has at most 1,000 words', () => {
		expect(wordsOf(pageAt('README.md'))).toBeLessThanOrEqual(1_000);
	});
});

test('every message in docs/troubleshooting.md is one of the nodes', () => {
	const page = pageAt('docs/troubleshooting.md');
	expect(quotes(page).length).toBeGreaterThan(10);
	expect(faultsOfMessages(page)).toEqual([]);
});

test('the same word is used for the same thing', () => {
	expect(faultsOfWords(pages)).toEqual([]);
});

test('no page is unfinished', () => {
	const marks = pages.flatMap((page) =>
		find(page, /\b(TODO|FIXME|TBD|XXX)\b/).map(
			({ match: [mark], line }) => `${page.path}:${line} ${mark}`,
		),
	);
	expect(marks).toEqual([]);
});
