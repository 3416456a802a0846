// npm run pictures -- [name …]: a name of test/pictures/catalogue.js, or a folder of them such as "examples".
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pictures, root } from './catalogue.js';
import { drawDemo } from './demo.mts';
import { drawExample } from './examples.mts';
import { fingerprint } from './fingerprint.js';
import { drawForm, drawRun, drawTrigger } from './guides.mts';
import { drawOAuth2 } from './oauth2.mts';
import { openStudio } from './studio.mts';
import type { Studio } from './studio.mts';

const madeOf = join(root, 'docs/images/pictures.json');

const draw: Record<string, (studio: Studio, files: string[], name: string) => Promise<void>> = {
	demo: drawDemo,
	run: drawRun,
	trigger: drawTrigger,
	form: drawForm,
	oauth2: drawOAuth2,
	examples: drawExample,
};

const all = Object.keys(pictures);
const isIn = (name: string, wanted: string) => name === wanted || name.startsWith(`${wanted}/`);
const wanted = process.argv.slice(2);
const unknown = wanted.filter((each) => !all.some((name) => isIn(name, each)));
if (unknown.length > 0) {
	console.error(`No such picture: ${unknown.join(', ')}. Pictures:\n${all.join('\n')}`);
	process.exit(1);
}
const chosen =
	wanted.length > 0 ? all.filter((name) => wanted.some((each) => isIn(name, each))) : all;

// n8n and the service are ended, and their data removed, when the process exits.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));

/** What each picture was made of, without those that are gone. */
function note(name: string) {
	const before: Record<string, string> = existsSync(madeOf)
		? JSON.parse(readFileSync(madeOf, 'utf8'))
		: {};
	const after = { ...before, [name]: fingerprint(pictures[name]!) };
	const kept = all.filter((each) => after[each] !== undefined).map((each) => [each, after[each]]);
	writeFileSync(madeOf, `${JSON.stringify(Object.fromEntries(kept), null, '\t')}\n`);
}

const failed: string[] = [];
console.log('Starting n8n and the form service');
const studio = await openStudio();
try {
	for (const [index, name] of chosen.entries()) {
		const [folder, ...rest] = name.split('/');
		const { files } = pictures[name]!;
		console.log(`[${index + 1}/${chosen.length}] ${name}`);
		try {
			await draw[folder!]!(studio, files, rest.join('/'));
			note(name);
			for (const file of files) {
				console.log(`  ${file}  ${(statSync(join(root, file)).size / 1000).toFixed(1)} kB`);
			}
		} catch (error) {
			// The others can be made all the same.
			failed.push(name);
			console.error(`  ${name} could not be made:`, error);
		}
		await studio.closePages();
	}
} finally {
	await studio.close();
}
if (failed.length > 0) {
	console.error(`Not made: ${failed.join(', ')}.`);
	process.exitCode = 1;
}
