const { existsSync, readFileSync } = require('node:fs');
const { dirname, join, normalize } = require('node:path');
const { filesIn, manifest, root } = require('../built');
const { at, pagesOfToday } = require('./pages');

/** Settings and tables of n8n, words of other tools, and what a page makes up for an example. */
const OF_OTHERS = `EXECUTIONS_DATA_MAX_AGE EXECUTIONS_DATA_PRUNE N8N_REINSTALL_MISSING_PACKAGES
	N8N_SSRF_PROTECTION_ENABLED N8N_UNVERIFIED_PACKAGES_ENABLED N8N_WEBHOOK_URL defaultVersion
	execution_data execution_entity weeks clone Host npx scan tgz Unreleased major minor patch nameAnswersBy`;

const NPM = ['ci', 'exec', 'init', 'install', 'pack', 'publish', 'run', 'uninstall', 'view'];

const files = filesIn('.');
const code = files
	.filter((path) => /\.([cm]?[jt]s|json|ya?ml|css|svg)$|^\.ci\//.test(path))
	.filter((path) => !path.endsWith('-lock.json') && !path.startsWith('test/package/'))
	.map((path) => readFileSync(join(root, path), 'utf8'));
const wordsIn = (/** @type {string} */ text) => text.match(/[\w$]{2,}/g) ?? [];
const words = new Set([...code, ...files, OF_OTHERS].flatMap(wordsIn));

/** Content types, addresses, places in an n8n, names of packages. */
const NO_PATH = /^(application|text|image)\/|^[@~$/<]|^\.n8n\b|:\/\/|^(n8n-nodes-base|n8nio)\//;
const LOOKS_LIKE_PATH =
	/^[\w.<>*/-]*(\w\/[\w.<>*/-]*|[\w>*]\.([cm]?[jt]s|json|md|ya?ml|webp|svg))$/;

/** Seen from any folder, with or without an ending; `<name>` and `*` stand for a name. */
function isPath(/** @type {string} */ text) {
	if (/^(dist|node_modules)\b/.test(text)) return existsSync(join(root, text));
	const names = text
		.replace(/\/$/, '')
		.replaceAll('.', '\\.')
		.replace(/<[^>]*>|\*/g, '[^/]*');
	const pattern = new RegExp(`(^|/)${names}(\\.\\w+)?(/|$)`);
	return files.some((path) => pattern.test(path));
}

/** @type {Array<[what: string, types: string[], missingIn: (text: string, folder: string) => string[]]>} */
const NAMES = [
	['word of code', ['inlineCode'], (text) => wordsIn(text).filter((word) => !words.has(word))],
	[
		'command of npm',
		['inlineCode', 'code'],
		(text) =>
			[...text.matchAll(/\bnpm (?:(run) )?([a-z][\w:-]*)|^((?:pre)?test:[\w:]+)$/gm)]
				.filter(([, run, name = '']) => run || !NPM.includes(name))
				.filter(([, , name = '', script = name]) => !(script in manifest.scripts))
				.map(([command]) => command),
	],
	[
		'path',
		['inlineCode', 'code'],
		(text, folder) =>
			text
				.split(/\s+/)
				.filter((word) => LOOKS_LIKE_PATH.test(word) && !NO_PATH.test(word))
				.filter((word) => !isPath(normalize(word)) && !isPath(join(folder, word))),
	],
];

test.each(NAMES)('each %s that a page names exists', async (_, types, missingIn) => {
	const faults = (await pagesOfToday()).flatMap((page) =>
		page.nodes
			.filter(({ type }) => types.includes(type))
			.flatMap(({ value = '', position }) =>
				missingIn(value, dirname(page.path)).map((name) =>
					at(page, position.start, `there is no "${name}"`),
				),
			),
	);
	expect(faults).toEqual([]);
});

test('each script of package.json is described', async () => {
	const shown = (await pagesOfToday()).flatMap(({ nodes }) => nodes.map(({ value = '' }) => value));
	const commands = Object.keys(manifest.scripts)
		.filter((name) => !/^(pre|post)/.test(name))
		.map((name) => (['start', 'test'].includes(name) ? `npm ${name}` : `npm run ${name}`));
	const isShown = (/** @type {string} */ command) =>
		shown.some((text) => text === command || text.startsWith(`${command} `));
	expect(commands.filter((command) => !isShown(command))).toEqual([]);
});
