import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';

const localBin = join('node_modules', '.bin');

/**
 * npm's environment. Drops the bin folders that npm scripts put on PATH, because npm ci deletes the node in
 * them. Puts the folder's own first, so that install scripts run with its node.
 *
 * @param {string} folder
 */
function environment(folder) {
	const inherited = Object.entries(process.env).filter(
		([name]) => !/^(npm_|NODE$|PATH$)/i.test(name),
	);
	const outside = (process.env.PATH ?? '').split(delimiter);
	const path = [join(folder, localBin), ...outside.filter((one) => !one.endsWith(localBin))];
	return { ...Object.fromEntries(inherited), PATH: path.join(delimiter) };
}

/**
 * @param {string} folder
 * @param {string[]} args
 * @param {AbortSignal} signal ends npm
 * @throws with the reason of a failure, when npm has ended
 */
export async function npm(folder, args, signal) {
	signal.throwIfAborted();
	const child = spawn('npm', [...args, '--no-audit', '--no-fund', '--no-update-notifier'], {
		cwd: folder,
		env: environment(folder),
		shell: process.platform === 'win32',
	});
	signal.addEventListener('abort', () => child.kill());
	const printed = Promise.all([text(child.stdout), text(child.stderr)]);
	const [code, ended] = await once(child, 'close');
	if (code === 0) return;
	const output = (await printed).join('').trim() || `npm ended with ${code ?? ended}.`;
	throw new Error(
		`${output.split('\n').slice(-25).join('\n')}\n\n"npm ${args.join(' ')}" failed in ${folder}. Check the connection to the npm registry and the free disk space, then run the same command again.`,
	);
}
