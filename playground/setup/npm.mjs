import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';

const localBin = join('node_modules', '.bin');
const PROGRESS_MS = 15_000;

/**
 * npm's environment. Drops the bin folders that npm scripts put on PATH, because npm ci deletes the node in
 * them. Puts the part's own bin folder first, so that native modules are built with its node and modules.
 *
 * @param {string} folder
 */
function environment(folder) {
	const outside = (process.env.PATH ?? '')
		.split(delimiter)
		.filter((entry) => !entry.endsWith(localBin));
	const inherited = Object.entries(process.env).filter(
		([name]) => !/^(npm_|NODE$|PATH$)/i.test(name),
	);
	return {
		...Object.fromEntries(inherited),
		PATH: [join(folder, localBin), ...outside].join(delimiter),
		NODE_PATH: join(folder, 'node_modules'),
	};
}

/**
 * Prints the reason of a failure and exits.
 *
 * @param {string} folder
 * @param {string[]} args
 * @param {string} toolsOf the folder whose tools npm uses
 */
export async function npm(folder, args, toolsOf = folder) {
	const began = Date.now();
	const show = (/** @type {string} */ state) => {
		const seconds = Math.round((Date.now() - began) / 1_000);
		console.log(`  npm ${args.join(' ')}: ${state} after ${seconds} s`);
	};
	const progress = setInterval(show, PROGRESS_MS, 'going on');
	const child = spawn('npm', [...args, '--no-audit', '--no-fund', '--no-update-notifier'], {
		cwd: folder,
		env: environment(toolsOf),
		shell: process.platform === 'win32',
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
	const problem = await new Promise((resolve) => {
		child.once('error', ({ message }) => resolve(`npm could not be started: ${message}`));
		child.once('close', (code) => resolve(code === 0 ? '' : output));
	});
	clearInterval(progress);
	show(problem ? 'failed' : 'done');
	if (!problem) return;
	console.error(`\n${problem.trim().split('\n').slice(-25).join('\n')}\n`);
	console.error(
		`That failed in ${folder}. Check the connection to the npm registry and the free disk space, then run the same command again.`,
	);
	process.exit(1);
}
