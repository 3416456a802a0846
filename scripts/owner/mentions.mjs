import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { textFiles } from './files.mjs';

/** @typedef {import('./values.mjs').Owner} Owner */

/** @param {string} text */
const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** @param {string} path */
const givesTheAddress = (path) =>
	/^(package\.json|SECURITY\.md|CODE_OF_CONDUCT\.md|CONTRIBUTING\.md|\.github\/.+)$/.test(path);

/**
 * Where a file names the owner. Only in these places: the name of an organisation can be an everyday
 * word, and a mail address can be an example.
 *
 * @type {Array<{ isIn: (path: string) => boolean, pattern: (owner: Owner) => RegExp, text: (owner: Owner) => string }>}
 */
const mentions = [
	{
		isIn: () => true,
		pattern: ({ organisation, repository }) =>
			new RegExp(
				`(?<=github\\.com[/:])${escaped(organisation)}/${escaped(repository)}(?![\\w-]|\\.(?!git\\b)\\w)`,
				'gi',
			),
		text: ({ organisation, repository }) => `${organisation}/${repository}`,
	},
	{
		isIn: givesTheAddress,
		pattern: ({ email }) => new RegExp(`(?<![\\w.+-])${escaped(email)}(?![\\w-]|\\.\\w)`, 'gi'),
		text: ({ email }) => email,
	},
	{
		isIn: (path) => path === 'LICENSE',
		pattern: ({ author }) =>
			new RegExp(`(?<=^Copyright \\(c\\) [\\d-]+ )${escaped(author)}$`, 'gm'),
		text: ({ author }) => author,
	},
	{
		isIn: (path) => path === 'package.json',
		pattern: ({ author }) =>
			new RegExp(`(?<="author": \\{\\s*"name": )${escaped(JSON.stringify(author))}`, 'g'),
		text: ({ author }) => JSON.stringify(author),
	},
];

/**
 * The files that change when the package goes from one owner to another. package.json is the last, so
 * that a command that was killed can be given again.
 *
 * @param {string} root
 * @param {Owner} from
 * @param {Owner} to
 */
export function changes(root, from, to) {
	return textFiles(root)
		.map((path) => {
			const before = readFileSync(join(root, path), 'utf8');
			const after = mentions
				.filter(({ isIn }) => isIn(path))
				.reduce(
					(text, mention) => text.replace(mention.pattern(from), () => mention.text(to)),
					before,
				);
			return { path, before, after };
		})
		.filter(({ before, after }) => before !== after)
		.sort((a, b) => Number(a.path === 'package.json') - Number(b.path === 'package.json'));
}
