import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';

const onWindows = process.platform === 'win32';
const localBin = join('node_modules', '.bin');
/** Ctrl-C, a kill, and a terminal that is closed. */
const STOPPING = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * npm's own environment: without the bin folders that an npm script puts on PATH (npm ci is about to
 * delete the node in them), with the part's own first, so that native modules are built for its node and
 * with its modules, wherever that is done.
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
 * Runs npm in a folder. Ctrl-C ends it and this process.
 *
 * @param {string} folder
 * @param {string[]} args
 * @param {string} toolsOf the folder whose tools it uses
 * @returns {Promise<{ code: number, output: string }>}
 */
export function npm(folder, args, toolsOf = folder) {
	return new Promise((resolve) => {
		let output = '';
		const child = spawn('npm', [...args, '--no-audit', '--no-fund', '--no-update-notifier'], {
			cwd: folder,
			env: environment(toolsOf),
			shell: onWindows,
			// A group of its own, so that what npm started ends with it.
			detached: !onWindows,
		});
		/** @param {Buffer} chunk */
		const collect = (chunk) => (output = (output + chunk).slice(-20_000));
		child.stdout.on('data', collect);
		child.stderr.on('data', collect);

		/** @param {NodeJS.Signals} signal */
		const end = (signal) =>
			onWindows || child.pid === undefined ? child.kill() : process.kill(-child.pid, signal);
		const stopWithIt = () => {
			console.log('\nStopping the installation');
			end('SIGTERM');
			setTimeout(() => end('SIGKILL'), 2000);
			child.once('close', () => {
				console.log('Stopped. Run the same command again to go on.');
				process.exit(130);
			});
		};
		for (const signal of STOPPING) process.once(signal, stopWithIt);

		/** @type {(code: number, text: string) => void} */
		const finish = (code, text) => {
			for (const signal of STOPPING) process.off(signal, stopWithIt);
			resolve({ code, output: text });
		};
		child.once('error', ({ message }) => finish(1, `npm could not be started: ${message}`));
		child.once('close', (code) => finish(code ?? 1, output));
	});
}
