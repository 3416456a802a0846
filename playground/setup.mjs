// node playground/setup.mjs service n8n … -- tools/bench/run.mts …: installs the package and the parts that are named
// (setup/parts.mjs), then runs the script with the Node that was installed. Nothing is installed yet, so this needs only
// Node and npm.
const required = 20;

if (Number(process.versions.node.split('.')[0]) < required) {
	console.error(
		`Node.js ${process.versions.node} is too old: version ${required} or later is needed, see https://nodejs.org.`,
	);
	process.exit(1);
}

const [, , ...words] = process.argv;
const end = words.includes('--') ? words.indexOf('--') : words.length;

const { install } = await import('./setup/install.mjs');
await install(['package', ...words.slice(0, end)]);
const { run } = await import('./setup/run.mjs');
if (end < words.length) run(words.slice(end + 1));
