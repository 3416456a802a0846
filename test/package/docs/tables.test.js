const facts = require('./facts');
const { at, readPages } = require('./pages');

/**
 * @typedef {import('./pages').Page} Page
 * @typedef {import('./facts').Fact} Fact
 * @typedef {{ page: Page, line: number, header: string[], cells: string[] }} Row
 */

/** What n8n's own OAuth2 credential adds. */
const OF_OAUTH2 = ['Client ID', 'Client Secret'].map((name) => ({
	...{ name, initial: '-', choices: [], numbers: [] },
}));

/** @type {Record<string, Fact[]>} */
const subjects = {
	'docs/actions.md': facts.actions,
	'docs/trigger.md': facts.trigger,
	'docs/credentials.md': [...facts.credentials, ...OF_OAUTH2],
};

/** @type {Page[]} */
let pages;
beforeAll(async () => (pages = await readPages()));

/** @type {(first: RegExp, path?: string) => Row[]} of the tables whose first column is called so */
const rowsOf = (first, path) =>
	pages
		.filter((page) => path === undefined || page.path === path)
		.flatMap((page) =>
			page.tables
				.filter(({ header: [name = ''] }) => first.test(name))
				.flatMap(({ header, rows }) => rows.map((row) => ({ page, header, ...row }))),
		);

const numbersIn = (/** @type {string} */ text) =>
	(text.match(/(?<![\w.-])\d[\d,]*(?![\w.-])/g) ?? []).map((one) => Number(one.replace(',', '')));

const FIELDS = /^(field|option|parameter)s?$/i;
const withoutUnit = (/** @type {string} */ name) => name.trim().replace(/ \([^)]*\)$/, '');
const namesIn = (/** @type {Row} */ { cells: [name = ''] }) =>
	name.split(/, | and /).map(withoutUnit);

/** @type {(fact: Fact, row: Row) => string[]} */
function faultsOfFact({ name, initial, choices, numbers }, { header, cells }) {
	const text = cells.slice(1).join(' ');
	const column = header.indexOf('default');
	const said = [cells[column] ?? ''];
	if (column < 0) {
		said.pop();
		for (const [, before, after] of text.matchAll(/([\w ]+) \(default\)|default:? ([^,;]+)/gi)) {
			said.push((before ?? after ?? '').trim());
		}
	}
	const isNumber = choices.length === 0 && /^\d+$/.test(initial);
	return [
		...said.filter((one) => one !== initial).map((one) => `${one}: the default is ${initial}`),
		...choices.filter((choice) => !text.includes(choice)).map((choice) => `"${choice}" is missing`),
		...numbersIn(isNumber ? text : '')
			.filter((number) => !numbers.includes(number))
			.map((number) => `${number} is neither default nor limit`),
	].map((fault) => `${name}: ${fault}`);
}

test.each(Object.entries(subjects))('%s has fields and options as in the editor', (path, known) => {
	const faults = rowsOf(FIELDS, path).flatMap((row) =>
		namesIn(row).flatMap((name) => {
			const found = known
				.filter((fact) => fact.name === name)
				.map((fact) => faultsOfFact(fact, row));
			// One of several fields of a name has to be meant, such as Limit.
			const [least = [`there is no "${name}"`]] = found.sort((a, b) => a.length - b.length);
			return least.map((fault) => at(row.page, row, fault));
		}),
	);
	expect(faults).toEqual([]);
});

/** @type {(path?: string) => Array<Row & { name: string, operation: import('./facts').Operation | undefined }>} */
const operationRows = (path) =>
	rowsOf(/^(resource|operation)$/i, path)
		.filter(({ header }) => header.slice(0, 2).some((name) => /^operation$/i.test(name)))
		.map((row) => {
			const [first = '', second = ''] = row.cells;
			const name = /^resource$/i.test(row.header[0] ?? '') ? `${first}: ${second}` : first;
			const sameName = name.replace(' → ', ': ');
			return { ...row, name, operation: facts.operations.find((one) => one.name === sameName) };
		});

/** "Limit (10), Filters: Status, Title Contains" */
const parametersIn = (/** @type {Row} */ { header, cells }) =>
	(cells[header.indexOf('parameters')] ?? '')
		.replace(/ \([^)]*\)|^-$|Filters: /g, '')
		.split(', ')
		.filter((name) => name !== '')
		.sort();

test('every row of an operation is true', () => {
	const faults = operationRows().flatMap((row) => {
		if (row.operation === undefined) return [at(row.page, row, `there is no ${row.name}`)];
		const known = row.operation.facts.flatMap(({ numbers }) => numbers);
		const wrong = numbersIn(row.cells.join(' ')).filter((number) => !known.includes(number));
		return wrong.map((number) =>
			at(row.page, row, `${row.name}: ${number} is no default or limit`),
		);
	});
	expect(faults).toEqual([]);
});

test.each(['README.md', 'docs/actions.md'])('%s has every operation', (path) => {
	const rows = operationRows(path).map(({ name }) => name);
	expect(facts.operations.map(({ name }) => name).filter((name) => !rows.includes(name))).toEqual(
		[],
	);
});

test('every parameter of an operation is described', () => {
	const rows = operationRows('docs/actions.md').filter(({ header }) =>
		header.includes('parameters'),
	);
	expect(rows.map((row) => [row.name, parametersIn(row)])).toEqual(
		facts.operations.map((one) => [one.name, one.facts.map(({ name }) => name).sort()]),
	);
});

/** What each node has, and the pages describe in other words. */
const ELSEWHERE = ['Authentication', 'Resource', 'Operation'];

test.each(Object.entries(subjects))('%s describes every field and option', (path, known) => {
	const inOperations = operationRows(path).flatMap(parametersIn);
	const described = [...rowsOf(FIELDS, path).flatMap(namesIn), ...inOperations, ...ELSEWHERE];
	const missing = known.map(({ name }) => name).filter((name) => !described.includes(name));
	expect(missing).toEqual([]);
});
