import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { matchesLock } from './lock.mjs';
import { npm } from './npm.mjs';
import { prepareSqlite } from './sqlite.mjs';

const playground = fileURLToPath(new URL('..', import.meta.url));
const versions = join(playground, '..', 'test', 'versions');

/**
 * @typedef {object} Step
 * @property {string} title
 * @property {(folder: string) => ReturnType<typeof npm>} run
 * @property {(folder: string) => boolean} isDone
 *
 * @typedef {object} Part
 * @property {string} title
 * @property {string} expect how long it takes, and how much room
 * @property {string} folder
 * @property {[Step, ...Step[]]} steps what removes all that the others made comes first
 * @property {string} [elsewhere] where it is already
 */

/**
 * @param {string[]} path
 * @returns {Step['isDone']}
 */
function built(...path) {
	return (folder) => {
		const file = join(folder, 'node_modules', ...path);
		return existsSync(file) || existsSync(`${file}.exe`);
	};
}

/**
 * @param {string[]} options
 * @returns {Step}
 */
function installed(...options) {
	return {
		title: 'installing',
		run: async (folder) => await npm(folder, ['ci', ...options]),
		isDone: matchesLock,
	};
}

// npm 10 and 11 run install scripts by different rules. Running none, and then the needed ones, is the same in both.
const noScripts = '--ignore-scripts';

/**
 * The npm package "node" fetches its binary in its install script.
 *
 * @type {Step}
 */
const nodeBinary = {
	title: 'fetching Node 24',
	run: async (folder) => await npm(folder, ['rebuild', 'node']),
	isDone: built('node', 'bin', 'node'),
};

/** @type {Part['steps']} */
const stepsOfN8n = [
	// n8n's tree has peer dependencies that contradict each other.
	installed(noScripts, '--legacy-peer-deps'),
	nodeBinary,
	{
		title: 'preparing SQLite, which can take 2 minutes',
		run: prepareSqlite,
		isDone: built('sqlite3', 'build', 'Release', 'node_sqlite3.node'),
	},
];

/** Earlier versions, each in the folder of its name: "n8n-1.123.81". */
const earlierN8ns = Object.fromEntries(
	readdirSync(versions)
		.filter((name) => name.startsWith('n8n-'))
		.map((name) => [
			name,
			{
				title: name.replace('-', ' '),
				expect: 'about 4 minutes, 2 GB',
				folder: join(versions, name),
				steps: stepsOfN8n,
			},
		]),
);

/**
 * The n8n of the playground.
 *
 * @type {Part}
 */
export const newest = {
	title: 'n8n',
	expect: 'about 4 minutes, 2.4 GB',
	folder: join(playground, 'n8n'),
	elsewhere: process.env.N8N_DIR,
	steps: stepsOfN8n,
};

/** @type {Record<string, Part>} */
export const parts = {
	package: {
		title: "the package's development tools",
		expect: 'about 1 minute, 1 GB',
		folder: join(playground, '..'),
		steps: [installed(noScripts), nodeBinary],
	},
	service: {
		title: 'the form service',
		expect: 'a few seconds, 20 MB',
		folder: join(playground, 'service'),
		steps: [installed(noScripts)],
	},
	e2e: {
		title: 'what drives the browser in the tests',
		expect: 'a few seconds, 15 MB',
		folder: join(playground, '..', 'test', 'e2e'),
		steps: [installed(noScripts)],
	},
	n8n: newest,
	...earlierN8ns,
	bench: {
		title: 'the tools of the benchmarks',
		expect: 'a few seconds, 25 MB',
		folder: join(playground, '..', 'test', 'bench'),
		steps: [installed(noScripts)],
	},
	pictures: {
		title: 'what makes the pictures of the documentation',
		expect: 'a few seconds, 20 MB',
		folder: join(playground, '..', 'test', 'pictures'),
		steps: [installed(noScripts)],
	},
	mutation: {
		title: 'the mutation tester',
		expect: 'a few seconds, 60 MB',
		folder: join(playground, '..', 'test', 'mutation'),
		steps: [installed(noScripts)],
	},
};
