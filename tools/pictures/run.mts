// npm run pictures -- [name …]: a name of tools/pictures/catalogue.js, or a folder of them such as "examples".
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sharp } from 'sharp';
import '../end-on-signal.mts';
import { fingerprint, pictures, root } from './catalogue.js';
import { drawDemo } from './demo.mts';
import { drawExample } from './examples.mts';
import { drawForm, drawOAuth2, drawRun, drawSearch, drawTrigger } from './guides.mts';
import { openStudio, type Studio } from './studio.mts';

const BEST = { quality: 85, effort: 6 };

/** Gives an image for each file of the picture. */
const draw: Record<string, (studio: Studio, name: string) => Promise<Sharp[]>> = {
	demo: drawDemo,
	search: drawSearch,
	run: drawRun,
	trigger: drawTrigger,
	form: drawForm,
	oauth2: drawOAuth2,
	examples: drawExample,
};

const all = Object.keys(pictures);
const namesOf = (wanted: string) => all.filter((name) => `${name}/`.startsWith(`${wanted}/`));
const found = process.argv.slice(2).map(namesOf);
if (found.some((names) => names.length === 0)) {
	console.error(`There is ${all.join(', ')}.`);
	process.exit(1);
}

/** Notes what each picture was made of, without those that are gone. */
function note(name: string) {
	const path = join(root, 'docs/images/pictures.json');
	const made = JSON.parse(readFileSync(path, 'utf8'));
	made[name] = fingerprint(name);
	writeFileSync(path, `${JSON.stringify(made, all, '\t')}\n`);
}

const studio = await openStudio();
try {
	for (const name of found.length > 0 ? new Set(found.flat()) : all) {
		const [kind, example = ''] = name.split('/');
		const images = await draw[kind!]!(studio, example);
		for (const [index, file] of pictures[name]!.files.entries()) {
			const { size } = await images[index]!.webp(BEST).toFile(join(root, file));
			console.log(`${file}  ${(size / 1000).toFixed(1)} kB`);
		}
		note(name);
		await studio.closePages();
	}
} finally {
	await studio.close();
}
