const { at } = require('./pages');

/** @typedef {import('./pages').Page} Page */

/** What is said otherwise here. */
const WORDS = [
	{
		pattern: /\b(de|re)?activat\w*/gi,
		allowed: /^activation$/i,
		before: /^ engines?\b/,
		instead: 'publish',
	},
	{ pattern: /\bblanks?\b/gi, instead: 'spaces' },
];

/** @type {(pages: Page[]) => string[]} */
const faultsOfWords = (pages) =>
	pages.flatMap((page) =>
		page.prose.flatMap(({ text, line }) =>
			WORDS.flatMap(({ pattern, allowed, before, instead }) =>
				[...text.matchAll(pattern)]
					.filter(
						({ 0: word, index }) =>
							!(
								allowed?.test(word) &&
								before?.test(text.slice(index + word.length).replace(/\s+/g, ' '))
							),
					)
					.map(({ 0: word, index }) =>
						at(
							page,
							line + text.slice(0, index).split('\n').length - 1,
							`"${word}": say "${instead}"`,
						),
					),
			),
		),
	);

module.exports = { faultsOfWords };
