import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const playground = join(root, 'playground');
const versions = join(root, 'test', 'n8n', 'versions');

/** @typedef {import('./progress.mjs').Step & { folder: string, isN8n?: boolean }} Part */

const n8n = { seconds: 270, gigabytes: 2.4, isN8n: true };

/** Earlier n8n versions, in folders such as "n8n-1.123.81". */
const earlier = readdirSync(versions).filter((name) => name.startsWith('n8n-'));

/** @type {Record<string, Part>} */
export const parts = {
	package: { what: 'the build tools', folder: root, seconds: 110, gigabytes: 1.2 },
	service: { what: 'the form service', folder: join(playground, 'service'), seconds: 10 },
	mail: { what: 'the mail server', folder: join(playground, 'mail'), seconds: 20, gigabytes: 0.1 },
	n8n: { what: 'n8n', folder: join(playground, 'n8n'), ...n8n },
	...Object.fromEntries(
		earlier.map((name) => [
			name,
			{ what: name.replace('-', ' '), folder: join(versions, name), ...n8n },
		]),
	),
};
