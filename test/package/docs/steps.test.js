const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { filesIn, root } = require('../built');

const read = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8');

/** @type {(text: string) => string[]} the steps of a numbered list, without where links lead */
const stepsIn = (text) =>
	[...text.matchAll(/^\d\. ((?:.+\n?(?!\d\. ))+)/gm)].map(([, step = '']) =>
		step
			.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1')
			.replace(/\s+/g, ' ')
			.trim(),
	);

/** @type {(path: string) => string} what the note on the canvas says */
const noteIn = (path) => {
	/** @type {{ nodes: Array<{ name: string, parameters: { content: string } }> }} */
	const { nodes } = JSON.parse(read(path));
	return nodes.find(({ name }) => name === 'Set up')?.parameters.content ?? '';
};

test.each(filesIn('examples', /\.json$/))('%s and its page say the same steps', (path) => {
	const steps = stepsIn(noteIn(path));
	expect(steps.length).toBeGreaterThan(1);
	expect(stepsIn(read(path.replace(/json$/, 'md')))).toEqual(steps);
});
