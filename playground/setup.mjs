// Installs what is missing of setup/parts.mjs: node playground/setup.mjs package service …
// Runs before anything is installed, so it needs Node and npm only.
const required = 20;

if (Number(process.versions.node.split('.')[0]) < required) {
	console.error(
		`Node.js ${process.versions.node} is too old: version ${required} or later is needed, see https://nodejs.org.`,
	);
	process.exit(1);
}

import('./setup/install.mjs').then(({ install }) => install(process.argv.slice(2)));
