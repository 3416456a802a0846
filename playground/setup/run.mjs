import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const name = process.platform === 'win32' ? 'node.exe' : 'node';
const node = fileURLToPath(new URL(`../../node_modules/node/bin/${name}`, import.meta.url));

/**
 * Runs a script with the Node that was installed, and ends as it does.
 *
 * @param {string[]} command the script and its arguments
 */
export function run(command) {
	const child = spawn(node, command, { stdio: 'inherit' });
	// A terminal interrupts both.
	process.on('SIGINT', () => {});
	process.on('SIGTERM', () => child.kill('SIGTERM'));
	process.on('SIGHUP', () => child.kill('SIGHUP'));
	child.on('exit', (code) => process.exit(code ?? 1));
}
