const { existsSync, readFileSync } = require('node:fs');
const { dirname, join, normalize } = require('node:path');
const { filesIn, manifest, root } = require('../built');
const { at, pagesOfToday } = require('./pages');

/** What others read, call or store. */
const OF_OTHERS = {
	// https://docs.n8n.io/hosting/configuration/environment-variables/
	n8n: [
		'EXECUTIONS_DATA_MAX_AGE',
		'EXECUTIONS_DATA_PRUNE',
		'N8N_REINSTALL_MISSING_PACKAGES',
		'N8N_SSRF_PROTECTION_ENABLED',
		'N8N_UNVERIFIED_PACKAGES_ENABLED',
		'N8N_WEBHOOK_URL',
		'defaultVersion',
		'execution_data',
		'execution_entity',
		'weeks',
	],
	tools: ['clone', 'Host', 'npx', 'scan', 'tgz'],
	// https://keepachangelog.com and https://semver.org
	changelog: ['Unreleased', 'major', 'minor', 'patch'],
	// What pages make up for an example.
	examples: ['nameAnswersBy'],
};

const NPM = ['ci', 'exec', 'init', 'install', 'pack', 'publish', 'run', 'uninstall', 'view'];

const files = filesIn('.');
const code = files
	.filter((path) => /\.([cm]?[jt]s|json|ya?ml|css|svg)$|^\.ci\//.test(path))
	.filter((path) => !path.endsWith('-lock.json') && !path.startsWith('test/package/'))
	.map((path) => readFileSync(join(root, path), 'utf8'));
const wordsIn = (/** @type {string} */ text) => text.match(/[\w$]{2,}/g) ?? [];
const known = new Set([
	...[...code, ...files].flatMap(wordsIn),
	...Object.values(OF_OTHERS).flat(),
]);

/** @type {(types: string[], faultsOf: (text: string, folder: string) => string[]) => Promise<string[]>} */
const faultsIn = async (types, faultsOf) =>
	(await pagesOfToday()).flatMap((page) =>
		page.nodes
			.filter(({ type }) => types.includes(type))
			.flatMap(({ value = '', position }) =>
				faultsOf(value, dirname(page.path)).map((fault) => at(page, position.start, fault)),
			),
	);

test('each word of code in the text is one of the code', async () => {
	const faults = await faultsIn(['inlineCode'], (text) =>
		wordsIn(text)
			.filter((word) => !known.has(word))
			.map((word) => `nothing has or reads "${word}"`),
	);
	expect(faults).toEqual([]);
});

test('each command of npm is there', async () => {
	const faults = await faultsIn(['inlineCode', 'code'], (text) =>
		[...text.matchAll(/\bnpm (?:(run) )?([a-z][\w:-]*)|^((?:pre)?test:[\w:]+)$/gm)]
			.filter(([, run, name = '', script]) => {
				const isOfNpm = run === undefined && NPM.includes(name);
				return !isOfNpm && !((script ?? name) in manifest.scripts);
			})
			.map(([command]) => `there is no "${command}"`),
	);
	expect(faults).toEqual([]);
});

/** Types of content, addresses, places in an n8n, names of packages. */
const NO_PATH = /^(application|text|image)\/|^[@~$/<]|^\.n8n\b|:\/\/|^(n8n-nodes-base|n8nio)\//;
const LOOKS_LIKE_PATH =
	/^[\w.<>*/-]*(\w\/[\w.<>*/-]*|[\w>*]\.([cm]?[jt]s|json|md|ya?ml|webp|svg))$/;

/** From any folder on, with or without an ending; `<name>` and `*` stand for a name. */
function isThere(/** @type {string} */ text) {
	if (/^(dist|node_modules)\b/.test(text)) return existsSync(join(root, text));
	const names = text
		.replace(/\/$/, '')
		.replaceAll('.', '\\.')
		.replace(/<[^>]*>|\*/g, '[^/]*');
	const pattern = new RegExp(`(^|/)${names}(\\.\\w+)?(/|$)`);
	return files.some((path) => pattern.test(path));
}

test('each path is one of the repository', async () => {
	const faults = await faultsIn(['inlineCode', 'code'], (text, folder) =>
		text
			.split(/\s+/)
			.filter((word) => LOOKS_LIKE_PATH.test(word) && !NO_PATH.test(word))
			.filter((word) => !isThere(normalize(word)) && !isThere(join(folder, word)))
			.map((word) => `there is no ${word}`),
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
