// Changes the owner: node tools/owner.mjs --organisation ORG --repository REPO --author NAME --email ADDRESS
// Writes the owner to package.json and every tracked file that repeats it. Needs only Node and git.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** @typedef {{ organisation: string, repository: string, author: string, email: string }} Owner */

/** @type {Record<keyof Owner, [isRight: RegExp, hint: string]>} */
const RULES = {
	organisation: [/^[a-z\d](?:[a-z\d]|-(?=[a-z\d])){0,38}$/i, 'its name on GitHub, such as my-org'],
	repository: [/^(?!\.{1,2}$)[\w.-]{1,100}(?<!\.git)$/i, 'its name on GitHub, such as my-repo'],
	author: [/^(?! )(?=.*\p{L})[^\p{C}<>()]{1,100}(?<! )$/u, 'a name, such as "My Organisation"'],
	email: [
		/^[\w.+-]{1,64}@([a-z\d-]{1,63}\.)+[a-z]{2,63}$/i,
		'a mail address, such as me@my-org.com',
	],
};

/** @returns {Owner} */
function current() {
	const { author, repository } = JSON.parse(readFileSync('package.json', 'utf8'));
	const [, organisation = '', name = ''] =
		/github\.com\/([^/]+)\/([^/]+)\.git$/.exec(repository.url) ?? [];
	return { organisation, repository: name, author: author.name, email: author.email };
}

/** @param {string[]} args */
function wanted(args) {
	const string = /** @type {const} */ ({ type: 'string' });
	const options = { organisation: string, repository: string, author: string, email: string };
	const { values } = parseArgs({ args, options });
	for (const name of /** @type {Array<keyof Owner>} */ (Object.keys(RULES))) {
		const value = values[name];
		const [isRight, hint] = RULES[name];
		if (value !== undefined && !isRight.test(value))
			throw new Error(`--${name} cannot be "${value}". Enter ${hint}.`);
	}
	return values;
}

/** @param {string} text */
const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/**
 * How files name the owner. A bare author name can be a common word, and a mail address an example.
 *
 * @type {Array<[files: RegExp, pattern: (owner: Owner) => string, text: (owner: Owner) => string]>}
 */
const MENTIONS = [
	[
		/./,
		(of) =>
			`(?<=github\\.com[/:])${escaped(`${of.organisation}/${of.repository}`)}(?![\\w-]|\\.(?!git\\b)\\w)`,
		(of) => `${of.organisation}/${of.repository}`,
	],
	[
		/^(package\.json|[A-Z_]+\.md|\.github\/.+)$/,
		(of) => `(?<![\\w.+-])${escaped(of.email)}(?![\\w-]|\\.\\w)`,
		(of) => of.email,
	],
	[
		/^LICENSE$/,
		(of) => `(?<=^Copyright \\(c\\) [\\d-]+ )${escaped(of.author)}$`,
		(of) => of.author,
	],
	[
		/^package\.json$/,
		(of) => `(?<="author": \\{\\s*"name": )${escaped(JSON.stringify(of.author))}`,
		(of) => JSON.stringify(of.author),
	],
];

/**
 * @param {Owner} owner
 * @param {Owner} next
 */
function rewrite(owner, next) {
	const files = execFileSync('git', ['grep', '-Ilz', ''], { encoding: 'utf8' }).split('\0');
	for (const path of files.filter((one) => one !== '' && !one.endsWith('package-lock.json'))) {
		const before = readFileSync(path, 'utf8');
		const after = MENTIONS.filter(([isIn]) => isIn.test(path)).reduce(
			(text, [, pattern, said]) => text.replace(new RegExp(pattern(owner), 'gm'), () => said(next)),
			before,
		);
		if (after === before) continue;
		writeFileSync(path, after);
		console.log(`Changed ${path}`);
	}
}

const owner = current();
try {
	const next = { ...owner, ...wanted(process.argv.slice(2)) };
	rewrite(owner, next);
	for (const [name, value] of Object.entries(next)) console.log(`${name.padEnd(12)}  ${value}`);
} catch (error) {
	console.error(/** @type {Error} */ (error).message);
	process.exitCode = 1;
}
