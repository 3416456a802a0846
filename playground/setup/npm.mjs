import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';

const localBin = join('node_modules', '.bin');

/**
 * npm's environment. Drops the bin folders that npm scripts put on PATH, because npm ci deletes the node in
 * them. Puts the folder's own first, so that install scripts run with its node.
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
	};
}

/**
 * @param {string} folder
 * @param {string[]} args
 * @param {AbortSignal} signal ends npm
 * @throws with the reason of a failure
 */
export async function npm(folder, args, signal) {
	const child = spawn('npm', [...args, '--no-audit', '--no-fund', '--no-update-notifier'], {
		cwd: folder,
		env: environment(folder),
		shell: process.platform === 'win32',
		signal,
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text));
	const problem = await new Promise((resolve) => {
		// Also when it is ended, which takes until it closes.
		child.once('error', ({ message }) => {
			if (!child.pid) resolve(`npm could not be started: ${message}`);
		});
		child.once('close', (code, ended) => {
			resolve(code === 0 ? '' : output || `npm ended with ${code ?? ended}.`);
		});
	});
	if (!problem) return;
	const lastLines = problem.trim().split('\n').slice(-25).join('\n');
	throw new Error(
		`${lastLines}\n\n"npm ${args.join(' ')}" failed in ${folder}. Check the connection to the npm registry and the free disk space, then run the same command again.`,
	);
}
