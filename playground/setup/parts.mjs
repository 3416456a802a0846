import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const versions = join(root, 'test', 'versions');

/**
 * @typedef {object} Part
 * @property {string} folder
 * @property {string} [expect] duration and disk space
 * @property {boolean} [hasNode] Node 24
 * @property {boolean} [isN8n]
 */

/**
 * @param {string} folder
 * @returns {Part}
 */
const n8n = (folder) => ({ folder, expect: 'about 4 minutes, 2.4 GB', hasNode: true, isN8n: true });

/** Earlier n8n versions, in folders such as "n8n-1.123.81". */
const earlier = readdirSync(versions).filter((name) => name.startsWith('n8n-'));

/** @type {Record<string, Part>} */
export const parts = {
	package: { folder: root, expect: 'about 1 minute, 1 GB', hasNode: true },
	service: { folder: join(root, 'playground', 'service') },
	mail: { folder: join(root, 'playground', 'mail') },
	e2e: { folder: join(root, 'test', 'e2e') },
	n8n: n8n(join(root, 'playground', 'n8n')),
	...Object.fromEntries(earlier.map((name) => [name, n8n(join(versions, name))])),
	bench: { folder: join(root, 'test', 'bench') },
	pictures: { folder: join(root, 'test', 'pictures') },
	mutation: { folder: join(root, 'test', 'mutation') },
};
