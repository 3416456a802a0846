// node playground/setup.mjs service n8n -- tools/bench/run.mts --help: installs the package and the parts that are named
// (setup/parts.mjs), then runs the script with the Node that was installed. Nothing is installed yet, so this needs only
// Node and npm.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const OLDEST = 20;

if (Number.parseInt(process.versions.node) < OLDEST) {
	console.error(
		`Node.js ${process.versions.node} is too old: version ${OLDEST} or later is needed, see https://nodejs.org.`,
	);
	process.exit(1);
}

/**
 * Ends as the script does.
 *
 * @param {string[]} command the script and its arguments
 */
function run(command) {
	const name = process.platform === 'win32' ? 'node.exe' : 'node';
	const node = fileURLToPath(new URL(`../node_modules/node/bin/${name}`, import.meta.url));
	const script = spawn(node, command, { stdio: 'inherit' });
	// A terminal sends Ctrl-C to the script too.
	process.on('SIGINT', () => {});
	for (const signal of /** @type {const} */ (['SIGTERM', 'SIGHUP'])) {
		process.on(signal, () => script.kill(signal));
	}
	script.on('exit', (code) => process.exit(code ?? 1));
}

const words = process.argv.slice(2);
const end = words.includes('--') ? words.indexOf('--') : words.length;

// Older versions of Node could not even read it.
const { install } = await import('./setup/install.mjs');
await install(['package', ...words.slice(0, end)]);
if (end < words.length) run(words.slice(end + 1));
