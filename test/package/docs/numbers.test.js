const { MAX_RESPONSES } = require('../../../nodes/FormResponses/transport/endpoints');
const { timing } = require('../../../nodes/FormResponses/trigger/timing');
const { filesIn, manifest } = require('../built');
const { pageAt, pagesOfToday } = require('./pages');

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

/**
 * What is said in numbers in any page, and what the code says: `#` is a number, a space is any white space.
 *
 * @type {Array<[said: string, ...is: number[]]>}
 */
const FACTS = [
	['newest \\*{0,2}(?!one)#', MAX_RESPONSES],
	['every # to # minutes', timing.shortestPaceMs / MINUTE, timing.longestPaceMs / MINUTE],
	['pause of up to # minutes', timing.rePublishMs / MINUTE],
	['# seconds after each start', timing.firstLookMs / SECOND],
	['plans the removal # seconds later', timing.callOffMs / SECOND],
	['for # minutes only looks', timing.doubtMs / MINUTE],
	['known for # minutes', timing.doubtMs / MINUTE],
	['more than # days ago', timing.heldMs / DAY],
	['intervals of up to # minutes', timing.longestRetryMs / MINUTE],
	['responses for # minutes', timing.silenceMs / MINUTE],
	['no longer than # seconds', timing.shortRunMs / SECOND],
	['\\(# seconds when publishing\\)', timing.attemptMs / SECOND],
	[
		'Node\\.js(?:\\]\\([^)]*\\))? # or later',
		parseInt(manifest.engines.node.replace('>=', ''), 10),
	],
	['# workflows to import', filesIn('examples', /\.json$/).length],
];

const WORDS = 'zero one two three four five six seven eight nine ten'.split(' ');

const numberOf = (/** @type {string} */ text) => {
	const word = WORDS.indexOf(text.toLowerCase());
	return word >= 0 ? word : Number(text.replace(',', ''));
};

test.each(FACTS)('pages say "%s" as the code has it', async (said, ...is) => {
	const number = `([\\d,]*\\d|${WORDS.join('|')})`;
	const pattern = new RegExp(said.replaceAll('#', number).replaceAll(' ', '\\s+'), 'gi');
	const claims = (await pagesOfToday()).flatMap(({ path, source }) =>
		[...source.matchAll(pattern)].map(([whole, ...numbers]) => ({ path, whole, numbers })),
	);
	expect(claims).not.toEqual([]);
	expect(claims.filter(({ numbers }) => numbers.map(numberOf).join() !== is.join())).toEqual([]);
});

test('the README has at most 800 words', async () => {
	const { source } = await pageAt('README.md');
	const words = source.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
	expect(words.length).toBeLessThanOrEqual(800);
});
