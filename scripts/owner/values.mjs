import { parseArgs } from 'node:util';

/** @typedef {{ organisation: string, repository: string, author: string, email: string }} Owner */

export class Refusal extends Error {}

const REPOSITORY_URL = /^git\+https:\/\/github\.com\/([^/\s]+)\/([^/\s]+?)\.git$/;

/**
 * What each value may be, and the way out where it is something else.
 *
 * @type {Record<keyof Owner, { isRight: (value: string) => boolean, hint: string }>}
 */
const rules = {
	organisation: {
		isRight: (value) => /^[a-z\d](?:[a-z\d]|-(?=[a-z\d])){0,38}$/i.test(value),
		hint: 'Enter the name of an organisation or a user as in its GitHub address: letters, digits and single hyphens, 39 at most, such as my-org.',
	},
	repository: {
		isRight: (value) => /^(?!\.{1,2}$)[\w.-]{1,100}$/.test(value) && !/\.git$/i.test(value),
		hint: 'Enter the last part of its GitHub address, without .git: letters, digits, hyphens, dots and underscores, 100 at most, such as my-repo.',
	},
	author: {
		isRight: (value) =>
			/^[^\p{C}<>()]{1,100}$/u.test(value) && value.trim() === value && /\p{L}/u.test(value),
		hint: 'Enter a name on one line in quotes, 100 characters at most, without <, > and brackets, such as "My Organisation".',
	},
	email: {
		isRight: (value) => /^[\w.+-]{1,64}@(?:[a-z\d-]{1,63}\.)+[a-z]{2,63}$/i.test(value),
		hint: 'Enter one mail address, such as maintainers@my-org.com.',
	},
};

const names = /** @type {Array<keyof Owner>} */ (Object.keys(rules));
const flags = names.map((name) => `--${name}`).join(', ');

/**
 * Whose the package is, by its package.json.
 *
 * @param {string} manifest
 * @returns {Owner}
 */
export function read(manifest) {
	const { author, repository } = JSON.parse(manifest);
	const [, organisation, name] = REPOSITORY_URL.exec(repository?.url ?? '') ?? [];
	if (organisation === undefined || name === undefined) {
		throw new Refusal(
			'package.json has no "repository.url" such as git+https://github.com/my-org/my-repo.git. Enter it there first.',
		);
	}
	if (typeof author?.name !== 'string' || typeof author.email !== 'string') {
		throw new Refusal(
			'package.json has no "author" with "name" and "email". Enter both there first.',
		);
	}
	return { organisation, repository: name, author: author.name, email: author.email };
}

/**
 * What the flags ask for; no owner where there are none.
 *
 * @param {string[]} args
 * @param {Owner} current
 * @returns {{ owner?: Owner, isDryRun: boolean }}
 */
export function wanted(args, current) {
	const { values, tokens } = parsed(args);
	for (const token of tokens) {
		if (token.kind === 'positional') {
			throw new Refusal(
				`"${token.value}" belongs to no flag. A value with spaces goes in quotes, as in --author "My Organisation". The flags are ${flags} and --dry-run.`,
			);
		}
		if (token.kind !== 'option') continue;
		if (![...names, 'dry-run'].includes(token.name)) {
			throw new Refusal(`There is no flag ${token.rawName}. The flags are ${flags} and --dry-run.`);
		}
		if (tokens.some((other) => other !== token && 'name' in other && other.name === token.name)) {
			throw new Refusal(`${token.rawName} is there more than once. Enter it once.`);
		}
		// A flag where its value should be.
		if (token.value?.startsWith('--') && !token.inlineValue) {
			throw new Refusal(`${token.rawName} has no value. Enter one behind it.`);
		}
		if (token.name === 'dry-run' && token.value !== undefined) {
			throw new Refusal('--dry-run takes no value. Leave out what follows it.');
		}
	}
	const owner = { ...current };
	for (const name of names) {
		if (!Object.hasOwn(values, name)) continue;
		const value = values[name];
		const { isRight, hint } = rules[name];
		if (typeof value !== 'string' || value === '') {
			throw new Refusal(`--${name} has no value. ${hint}`);
		}
		if (!isRight(value)) throw new Refusal(`--${name} cannot be "${value}". ${hint}`);
		owner[name] = value;
	}
	const isDryRun = values['dry-run'] !== undefined;
	if (names.some((name) => Object.hasOwn(values, name))) return { owner, isDryRun };
	if (isDryRun) throw new Refusal(`--dry-run alone shows nothing. Add one of ${flags}.`);
	return { isDryRun };
}

/** @param {string[]} args */
function parsed(args) {
	const string = /** @type {const} */ ({ type: 'string' });
	return parseArgs({
		args,
		// Not strict, so that what is wrong is said in our words.
		strict: false,
		allowPositionals: true,
		tokens: true,
		options: {
			organisation: string,
			repository: string,
			author: string,
			email: string,
			'dry-run': { type: 'boolean' },
		},
	});
}
