const { existsSync, readFileSync, readdirSync } = require('node:fs');
const { join } = require('node:path');
const { parse } = require('yaml');
const { root } = require('./built');

const folder = join(root, '.github', 'ISSUE_TEMPLATE');

/** @type {(file: string) => any} */
const contentOf = (file) =>
	parse(readFileSync(join(folder, file), 'utf8'), { strict: true, uniqueKeys: true });

const forms = readdirSync(folder).filter((file) => file !== 'config.yml');

/**
 * The keys of each kind of field, as GitHub documents them:
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

/** @type {(field: any) => string[]} */
function faultsOf({ type, id, attributes = {}, validations = {}, ...others }) {
	const known = ATTRIBUTES[type];
	if (known === undefined) return [`there is no type ${type}`];
	const isText = (/** @type {unknown} */ text) => typeof text === 'string' && text !== '';
	const options = attributes.options ?? [];
	const names = options.map((/** @type {any} */ option) => option?.label ?? option);
	return [
		...Object.keys(others).map((key) => `unknown: ${key}`),
		...Object.keys(attributes).filter((key) => !known.includes(key)),
		...Object.keys(validations).filter((key) => key !== 'required'),
		...(isText(type === 'markdown' ? attributes.value : attributes.label) ? [] : ['no text']),
		...(type === 'markdown' || /^[\w-]+$/.test(id) ? [] : ['no id']),
		...(known.includes('options') && options.length === 0 ? ['no options'] : []),
		...(new Set(names).size < names.length || !names.every(isText) ? ['wrong options'] : []),
		...(attributes.default === undefined || attributes.default in options ? [] : ['wrong default']),
	].map((fault) => `${id ?? type}: ${fault}`);
}

test('there is a form for what goes wrong and one for what is missing', () => {
	expect(forms.sort()).toEqual(['bug.yml', 'feature.yml']);
});

test.each(forms)('%s is a form that GitHub can show', (file) => {
	const { name, description, body, labels, ...others } = contentOf(file);
	expect([typeof name, typeof description]).toEqual(['string', 'string']);
	expect(labels.every((/** @type {unknown} */ label) => typeof label === 'string')).toBe(true);
	expect(Object.keys(others)).toEqual([]);
	expect(body.flatMap(faultsOf)).toEqual([]);
	for (const key of ['id', 'label']) {
		const values = body.flatMap((/** @type {any} */ { id, attributes }) =>
			key === 'id' ? (id ?? []) : (attributes.label ?? []),
		);
		expect(new Set(values).size).toBe(values.length);
	}
});

test('what goes wrong is asked with all that is needed to see it', () => {
	const ids = contentOf('bug.yml').body.flatMap((/** @type {any} */ { id }) => id ?? []);
	const asked = ['expected', 'happened', 'package-version', 'n8n-version', 'installed', 'mode'];
	expect(ids).toEqual(
		expect.arrayContaining([...asked, 'database', 'engine', 'credential', 'workflow']),
	);
});

test.each(forms)('%s asks to leave out what is private', (file) => {
	const [first] = contentOf(file).body;
	expect(first.attributes.value).toMatch(/do not paste tokens, API keys.+answers of respondents/);
});

test('the chooser leads to a private report', () => {
	const { blank_issues_enabled: isBlankAllowed, contact_links: links } = contentOf('config.yml');
	expect(isBlankAllowed).toBe(false);
	for (const link of links) expect(Object.keys(link).sort()).toEqual(['about', 'name', 'url']);
	expect(links[0].url).toMatch(/\/security\/advisories\/new$/);
});

test('the repository has what GitHub asks of a project', () => {
	const paths = ['README.md', 'LICENSE', 'CODE_OF_CONDUCT.md', 'CONTRIBUTING.md', 'SECURITY.md'];
	const missing = [...paths, '.github/pull_request_template.md'].filter(
		(path) => !existsSync(join(root, path)),
	);
	expect(missing).toEqual([]);
});
