// Installs the package, and the parts that are named (setup/parts.mjs): node playground/setup.mjs service n8n …
// Nothing is installed yet, so this needs only Node and npm.
const required = 20;

if (Number(process.versions.node.split('.')[0]) < required) {
	console.error(
		`Node.js ${process.versions.node} is too old: version ${required} or later is needed, see https://nodejs.org.`,
	);
	process.exit(1);
}

import('./setup/install.mjs').then(({ install }) => install(['package', ...process.argv.slice(2)]));
