const { timing } = require('../../../nodes/FormResponses/trigger/timing');
const { filesIn, manifest } = require('../built');
const { mostOf, nodes, operations, optionsOf } = require('./descriptions');
const { at, find } = require('./pages');

/** @typedef {import('./pages').Page} Page */

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

const limit = operations
	.find(({ resource, operation }) => resource === 'Response' && operation === 'Get Many')
	?.properties.find(({ displayName }) => displayName === 'Limit');
const page = limit && mostOf(limit);
const concurrency = nodes
	.flatMap(optionsOf)
	.find(({ displayName }) => displayName === 'Max Concurrency');
const pollMinutes = nodes
	.flatMap(({ properties }) => properties)
	.find(({ name }) => name === 'pollInterval')?.default;
const examples = filesIn('examples', /\.json$/).length;

/**
 * Sentences with numbers, wherever a page has them, and what the code says. A space is any white space.
 *
 * @type {Array<[RegExp, ...unknown[]]>}
 */
const SENTENCES = [
	[/newest ([\d,]+)\b/, page],
	[/newest \*\*([\d,]+)\*\*/, page],
	[
		/Max Concurrency\*{0,2} \((\d+), from (\d+) to (\d+)\)/,
		concurrency?.default,
		concurrency?.typeOptions?.minValue,
		concurrency && mostOf(concurrency),
	],
	[/polls? every (\w+) minutes/, pollMinutes],
	[/(\w+) workflows to import/, examples],
	[/every (\w+) to (\w+) minutes/, timing.shortestPaceMs / MINUTE, timing.longestPaceMs / MINUTE],
	[/at least every (\w+) minutes/, timing.longestPaceMs / MINUTE],
	[/pause of up to (\w+) minutes/, timing.rePublishMs / MINUTE],
	[/published again within (\w+) minutes/, timing.rePublishMs / MINUTE],
	[/[Aa]bout (\w+) seconds after each subscription/, timing.firstLookMs / SECOND],
	[/after (\w+) seconds, then at growing intervals/, timing.firstRetryMs / SECOND],
	[/growing intervals of up to (\w+) minutes/, timing.longestRetryMs / MINUTE],
	[/within the last (\w+) minutes/, timing.freshMs / MINUTE],
	[/responses for (\w+) minutes \(the credential/, timing.silenceMs / MINUTE],
	[/execution after (\w+) minutes/, timing.silenceMs / MINUTE],
	[/it had lasted no longer than (\w+) seconds/, timing.shortRunMs / SECOND],
	[/within (\w+) seconds after, the live hook/, timing.hookBeginsMs / SECOND],
	[/\((\w+) seconds when publishing\)/, timing.lifecycleWaitMs / SECOND],
	[/stayed for (\w+) seconds/, timing.erasableMs / SECOND],
	[/tries for about (\w+) minutes/, timing.testHookRemovalMs / MINUTE],
	[/Node\.js\]?(?:\([^)]*\))? (\d+) or later/, /(\d+)/.exec(manifest.engines.node)?.[1]],
];

const WORDS = [
	'zero',
	'one',
	'two',
	'three',
	'four',
	'five',
	'six',
	'seven',
	'eight',
	'nine',
	'ten',
];

/** @type {(text: string | undefined) => number} */
function numberOf(text = '') {
	const word = WORDS.indexOf(text.toLowerCase());
	return word >= 0 ? word : Number(text.replaceAll(',', ''));
}

/**
 * What pages say in numbers, and whether it is so.
 *
 * @type {(pages: Page[]) => Array<{ isRight: boolean, text: string }>}
 */
const claimsIn = (pages) =>
	pages
		// What was true of a version stays there.
		.filter(({ path }) => path !== 'CHANGELOG.md')
		.flatMap((of) =>
			SENTENCES.flatMap(([pattern, ...values]) =>
				find(of, pattern).map(({ match: [whole, ...said], line }) => ({
					isRight: values.every((value, index) => numberOf(said[index]) === Number(value)),
					text: at(of, line, `"${whole.replace(/\s+/g, ' ')}": the code says ${values.join(', ')}`),
				})),
			),
		);

/** Words that are shown; what is in a comment is not. */
const wordsOf = (/** @type {Page} */ { source }) =>
	source
		.replace(/<!--.*?-->/gs, '')
		.split(/\s+/)
		.filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

module.exports = { claimsIn, wordsOf };
