// npm run pictures -- [name …]: a name of tools/pictures/catalogue.js, or a folder of them such as "examples".
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pictures, root } from './catalogue.js';
import { drawDemo } from './demo.mts';
import { drawExample } from './examples.mts';
import { fingerprint } from './fingerprint.js';
import { drawForm, drawOAuth2, drawRun, drawSearch, drawTrigger } from './guides.mts';
import { openStudio, type Studio } from './studio.mts';

const draw: Record<string, (studio: Studio, files: string[], name: string) => Promise<void>> = {
	demo: drawDemo,
	search: drawSearch,
	run: drawRun,
	trigger: drawTrigger,
	form: drawForm,
	oauth2: drawOAuth2,
	examples: drawExample,
};

const all = Object.keys(pictures);
const wanted = process.argv.slice(2);
const isIn = (name: string, folder: string) => name === folder || name.startsWith(`${folder}/`);
if (!wanted.every((folder) => all.some((name) => isIn(name, folder)))) {
	console.error(`There is ${all.join(', ')}.`);
	process.exit(1);
}

// n8n and the service are ended, and their data removed, when the process exits.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

/** Notes what each picture was made of, without those that are gone. */
function note(name: string) {
	const path = join(root, 'docs/images/pictures.json');
	const made = JSON.parse(readFileSync(path, 'utf8'));
	made[name] = fingerprint(pictures[name]!);
	writeFileSync(path, `${JSON.stringify(made, all, '\t')}\n`);
}

const studio = await openStudio();
try {
	for (const name of all) {
		if (wanted.length > 0 && !wanted.some((folder) => isIn(name, folder))) continue;
		console.log(name);
		const [kind, example = ''] = name.split('/');
		await draw[kind!]!(studio, pictures[name]!.files, example);
		note(name);
		await studio.closePages();
	}
} finally {
	await studio.close();
}
