// node tools/owner.mjs shows whose package this is. Flags change it in every file that git tracks:
// --organisation ORG --repository REPO --author NAME --email ADDRESS. Needs only Node and git.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

/** @typedef {Record<'organisation' | 'repository' | 'author' | 'email', string>} Owner */

/** @type {Record<keyof Owner, [isRight: RegExp, hint: string]>} */
const RULES = {
	organisation: [/^[a-z\d](?:[a-z\d]|-(?=[a-z\d])){0,38}$/i, 'its name on GitHub, such as my-org'],
	repository: [/^(?!\.{1,2}$)[\w.-]{1,100}(?<!\.git)$/i, 'its name on GitHub, such as my-repo'],
	author: [/^(?! )(?=.*\p{L})[^\p{C}<>()]{1,100}(?<! )$/u, 'a name, such as "My Organisation"'],
	email: [/^[\w.+-]{1,64}@([a-z\d-]{1,63}\.)+[a-z]{2,63}$/i, 'an address, such as me@my-org.com'],
};

/**
 * How files name the owner. An author's name alone can be a common word, and an address elsewhere an example.
 *
 * @type {Array<[files: RegExp, mention: (owner: Owner) => string]>}
 */
const MENTIONS = [
	[/./, ({ organisation, repository }) => `github.com/${organisation}/${repository}`],
	[/^(package\.json|[A-Z_]+\.md|\.github\/.+)$/, ({ email }) => email],
	[/^LICENSE$/, ({ author }) => `${author}\n\nPermission`],
	[/^package\.json$/, ({ author }) => `"author": {\n\t\t"name": ${JSON.stringify(author)}`],
];

/** @returns {Owner} */
function current() {
	const { author, repository } = JSON.parse(readFileSync('package.json', 'utf8'));
	const [organisation = '', name = ''] = repository.url
		.replace(/\.git$/, '')
		.split('/')
		.slice(-2);
	return { organisation, repository: name, author: author.name, email: author.email };
}

function wanted() {
	const value = /** @type {const} */ ({ type: 'string' });
	const options = { organisation: value, repository: value, author: value, email: value };
	const { values } = parseArgs({ options });
	for (const name of /** @type {Array<keyof Owner>} */ (Object.keys(values))) {
		const [isRight, hint] = RULES[name];
		if (isRight.test(values[name] ?? '')) continue;
		throw new Error(`--${name} cannot be "${values[name]}". Enter ${hint}.`);
	}
	return values;
}

try {
	const owner = current();
	const next = { ...owner, ...wanted() };
	const files = execFileSync('git', ['grep', '-Ilz', '', ':!*package-lock.json']);
	for (const path of files.toString().split('\0').slice(0, -1)) {
		const before = readFileSync(path, 'utf8');
		let text = before;
		for (const [files, mention] of MENTIONS) {
			if (files.test(path)) text = text.replaceAll(mention(owner), () => mention(next));
		}
		if (text === before) continue;
		writeFileSync(path, text);
		console.log(`Changed ${path}`);
	}
	for (const [name, value] of Object.entries(next)) console.log(`${name.padEnd(12)}  ${value}`);
} catch (error) {
	console.error(/** @type {Error} */ (error).message);
	process.exitCode = 1;
}
