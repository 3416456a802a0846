const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { parse } = require('yaml');
const { filesIn, root } = require('./built');

const forms = filesIn('.github/ISSUE_TEMPLATE').filter((path) => !path.endsWith('config.yml'));

/** @type {(path: string) => any} */
const contentOf = (path) => parse(readFileSync(join(root, path), 'utf8'), { strict: true });

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

test.each(forms)('%s is a form that GitHub can show', (path) => {
	const { name, description, body } = contentOf(path);
	expect([typeof name, typeof description]).toEqual(['string', 'string']);
	for (const { type, attributes } of body) {
		const unknown = Object.keys(attributes).filter((key) => !ATTRIBUTES[type]?.includes(key));
		expect({ type, text: typeof (attributes.label ?? attributes.value), unknown }).toEqual({
			...{ type, text: 'string', unknown: [] },
		});
	}
	const ids = body.flatMap((/** @type {{ id?: string }} */ { id }) => id ?? []);
	expect(new Set(ids).size).toBe(ids.length);
});

test.each(forms)('%s asks to leave out what is private', (path) => {
	const [first] = contentOf(path).body;
	expect(first.attributes.value).toMatch(/do not paste tokens, API keys.+answers of respondents/);
});

test('the chooser leads to a private report, and to no blank issue', () => {
	const { blank_issues_enabled: isBlankAllowed, contact_links: links } = contentOf(
		'.github/ISSUE_TEMPLATE/config.yml',
	);
	expect(isBlankAllowed).toBe(false);
	expect(links[0].url).toMatch(/\/security\/advisories\/new$/);
});
