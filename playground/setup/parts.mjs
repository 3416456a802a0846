import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const versions = join(root, 'test', 'n8n', 'versions');

/**
 * @typedef {object} Step
 * @property {string} what
 * @property {number} seconds on two cores, beside another step
 * @property {number} [gigabytes]
 * @property {string} [needs] instead of the above, in words
 */

/** @typedef {Step & { folder: string, hasNode?: boolean, isN8n?: boolean }} Part hasNode: Node 24 */

/**
 * @param {string} folder
 * @param {string} what
 * @returns {Part}
 */
const n8n = (folder, what) => ({
	folder,
	what,
	seconds: 270,
	gigabytes: 2.4,
	hasNode: true,
	isN8n: true,
});

/** Earlier n8n versions, in folders such as "n8n-1.123.81". */
const earlier = readdirSync(versions).filter((name) => name.startsWith('n8n-'));

/** @type {Record<string, Part>} */
export const parts = {
	package: {
		folder: root,
		what: 'the build tools',
		seconds: 110,
		gigabytes: 1,
		hasNode: true,
	},
	service: { folder: join(root, 'playground', 'service'), what: 'the form service', seconds: 10 },
	mail: {
		folder: join(root, 'playground', 'mail'),
		what: 'the mail server',
		seconds: 20,
		gigabytes: 0.1,
	},
	n8n: n8n(join(root, 'playground', 'n8n'), 'n8n'),
	...Object.fromEntries(
		earlier.map((name) => [name, n8n(join(versions, name), name.replace('-', ' '))]),
	),
};
