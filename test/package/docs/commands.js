const { existsSync, readFileSync } = require('node:fs');
const { join, posix } = require('node:path');
const { manifest, root } = require('../built');
const { at } = require('./pages');
const { files } = require('./tracked');

/** @typedef {import('./pages').Page} Page */

/** Of npm itself. */
const NPM = [
	'ci',
	'exec',
	'init',
	'install',
	'login',
	'ls',
	'pack',
	'publish',
	'run',
	'uninstall',
	'view',
];

/** Run by npm before or after another one, or when it publishes. */
const isHook = (/** @type {string} */ name) =>
	name === 'prepublishOnly' ||
	[/^pre(.+)/, /^post(.+)/].some((hook) => (hook.exec(name)?.[1] ?? '') in manifest.scripts);

/** @type {(page: Page) => string} the folder in which the commands of a page are given */
function folderOf({ path }) {
	let folder = posix.dirname(path);
	while (folder !== '.' && !files.has(`${folder}/package.json`)) folder = posix.dirname(folder);
	return folder;
}

/** Inline code and the lines of blocks, as far as they are commands. */
const commandsOf = (/** @type {Page} */ page) =>
	[
		...page.inlineCode,
		...page.blocks.flatMap(({ text, line }) =>
			text.split('\n').map((of, index) => ({ text: of, line: line + 1 + index })),
		),
	].map(({ text, line }) => ({
		line,
		words: text
			.trim()
			.replace(/^\$ /, '')
			.replace(/\s#.*$/, '')
			.split(/\s+/),
	}));

const isScriptFile = (/** @type {string} */ word) => /^[\w./-]+\.(m?[jt]s|sh)$/.test(word);

/** @type {(page: Page, words: string[]) => string | undefined} */
function faultOfCommand(page, [program = '', ...args]) {
	const folder = folderOf(page);
	const { scripts } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
	if (/^(test|pretest):[\w:]+$/.test(program) && args.length === 0) {
		return program in scripts ? undefined : `package.json has no script "${program}"`;
	}
	if (program === 'npm' && args.length > 0) {
		const [verb = '', name] = args;
		if (verb === 'run' && name !== undefined) {
			return name in scripts ? undefined : `package.json has no script "${name}"`;
		}
		if (verb in scripts || NPM.includes(verb) || verb.startsWith('-')) return undefined;
		return `npm has no command "${verb}", and package.json no such script`;
	}
	const bin = /^node_modules\/\.bin\/(.+)$/.exec(program)?.[1];
	if (bin !== undefined && !existsSync(join(root, folder, program)))
		return `there is no ${program}`;
	if (program.startsWith('.ci/') && !files.has(program)) return `there is no ${program}`;
	if (bin === undefined && program !== 'node') return undefined;
	const missing = args
		.filter((word) => !word.startsWith('-') && isScriptFile(word))
		.find((word) => !files.has(posix.join(folder, word)));
	return missing === undefined ? undefined : `there is no ${missing}`;
}

/** @type {(pages: Page[]) => string[]} */
const faultsOfCommands = (pages) =>
	pages.flatMap((page) =>
		commandsOf(page).flatMap(({ words, line }) => {
			const fault = faultOfCommand(page, words);
			return fault === undefined ? [] : [at(page, line, `${words.join(' ')}: ${fault}`)];
		}),
	);

/** @type {(page: Page) => string[]} the scripts of package.json that a page does not show */
function undescribedScripts(page) {
	const shown = commandsOf(page).map(({ words }) => words.join(' '));
	return Object.keys(manifest.scripts)
		.filter((name) => !isHook(name))
		.map((name) => (['start', 'test'].includes(name) ? `npm ${name}` : `npm run ${name}`))
		.filter((command) => !shown.some((text) => text === command || text.startsWith(`${command} `)));
}

module.exports = { faultsOfCommands, undescribedScripts };
