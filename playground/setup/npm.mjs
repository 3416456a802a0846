import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';

const onWindows = process.platform === 'win32';
const localBin = join('node_modules', '.bin');

/**
 * npm's own environment: without the bin folders that an npm script puts on PATH (npm ci is about to
 * delete the node in them), with the part's own first, so that native modules are built for its node.
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

/** Runs npm in a folder; resolves to its exit code and output. Ctrl-C ends it and this process. */
export function npm(folder, args) {
	return new Promise((resolve) => {
		let output = '';
		const child = spawn('npm', [...args, '--no-audit', '--no-fund', '--no-update-notifier'], {
			cwd: folder,
			env: environment(folder),
			shell: onWindows,
			// A group of its own, so that what npm started ends with it.
			detached: !onWindows,
		});
		const collect = (chunk) => (output = (output + chunk).slice(-20_000));
		child.stdout.on('data', collect);
		child.stderr.on('data', collect);

		const end = (signal) => (onWindows ? child.kill() : process.kill(-child.pid, signal));
		const stopWithIt = () => {
			console.log('\nStopping the installation');
			end('SIGTERM');
			setTimeout(() => end('SIGKILL'), 2000);
			child.once('close', () => {
				console.log('Stopped. Run the same command again to go on.');
				process.exit(130);
			});
		};
		process.once('SIGINT', stopWithIt).once('SIGTERM', stopWithIt);

		const finish = (code, text) => {
			process.off('SIGINT', stopWithIt).off('SIGTERM', stopWithIt);
			resolve({ code, output: text });
		};
		child.once('error', ({ message }) => finish(1, `npm could not be started: ${message}`));
		child.once('close', (code) => finish(code ?? 1, output));
	});
}
