const { OPERATIONS } = require('../../../nodes/FormResponses/trigger/onlyIfCondition');
const facts = require('./facts');
const { at, pagesOfToday } = require('./pages');

/**
 * @typedef {import('./facts').Fact} Fact
 * @typedef {{ page: import('./pages').Page, line: number, header: string[], cells: string[] }} Row
 */

/** @type {Array<[path: string, known: Fact[]]>} */
const subjects = [
	['docs/actions.md', facts.actions],
	['docs/trigger.md', facts.trigger],
	['docs/credentials.md', facts.credentials],
];

/** What n8n's own OAuth2 credential adds. */
const OF_OAUTH2 = ['Client ID', 'Client Secret'];

/** What the pages describe in other words. */
const ELSEWHERE = ['Authentication', 'Resource', 'Operation'];

/** @type {(first: RegExp, path?: string) => Promise<Row[]>} of the tables whose first column is called so */
const rowsOf = async (first, path) =>
	(await pagesOfToday())
		.filter((page) => path === undefined || page.path === path)
		.flatMap((page) =>
			page.tables
				.filter(({ header: [name = ''] }) => first.test(name))
				.flatMap(({ header, rows }) => rows.map((row) => ({ page, header, ...row }))),
		);

const fieldRows = async (/** @type {string} */ path) =>
	await rowsOf(/^(field|option|parameter)s?$/i, path);

/** @type {(text: string, numbers: number[]) => string[]} */
const wrongNumbersIn = (text, numbers) =>
	(text.match(/(?<![\w.-])\d[\d,]*(?!\w|[.-]\w)/g) ?? [])
		.filter((one) => !numbers.includes(Number(one.replaceAll(',', ''))))
		.map((one) => `${one} is neither default nor limit`);

/** In the first cell, without units: "Poll Interval (Minutes)", "Client ID, Client Secret". */
const namesIn = (/** @type {Row} */ { cells: [names = ''] }) =>
	names.split(/, | and /).map((name) => name.replace(/ \([^)]*\)$/, ''));

/** @type {(row: Row) => string[]} what a row calls the default */
function defaultsIn({ header, cells }) {
	const column = header.indexOf('default');
	if (column >= 0) return [cells[column] ?? ''];
	const mentions = cells.join('; ').matchAll(/([\w ]+) \(default\)|default:? ([^,;]+)/gi);
	return [...mentions].map(([, before, after]) => (before ?? after ?? '').trim());
}

/** @type {(fact: Fact, row: Row) => string[]} */
function faultsOf({ name, initial, choices, numbers }, row) {
	const text = row.cells.slice(1).join(' ');
	const wrongDefaults = defaultsIn(row).filter((one) => one !== initial);
	const missing = choices.filter((choice) => !text.includes(choice));
	return [
		...wrongDefaults.map(() => `the default is ${initial}`),
		...missing.map((choice) => `"${choice}" is missing`),
		...(/^\d+$/.test(initial) ? wrongNumbersIn(text, numbers) : []),
	].map((fault) => at(row.page, row, `${name}: ${fault}`));
}

test.each(subjects)('%s has fields and options as in the editor', async (path, known) => {
	const faults = (await fieldRows(path)).flatMap((row) =>
		namesIn(row).flatMap((name) => {
			if (OF_OAUTH2.includes(name)) return [];
			const same = known.filter((fact) => fact.name === name);
			if (same.length === 0) return [at(row.page, row, `there is no "${name}"`)];
			// One of several fields of a name has to be meant, such as Limit.
			return same.map((fact) => faultsOf(fact, row)).sort((a, b) => a.length - b.length)[0] ?? [];
		}),
	);
	expect(faults).toEqual([]);
});

/** Of tables with a resource and an operation, or with both in one cell: "Form: Get", "Form → Get". */
async function operationRows(/** @type {string | undefined} */ path = undefined) {
	const rows = await rowsOf(/^(resource|operation)$/i, path);
	return rows
		.filter(({ header }) => header.includes('operation'))
		.map((row) => {
			const [first = '', second = ''] = row.cells;
			const name = row.header[0] === 'operation' ? first : `${first}: ${second}`;
			return { ...row, name: name.replace(' → ', ': ') };
		});
}

/** "Limit (10), Filters: Status, Title Contains" */
const parametersIn = (/** @type {Row} */ { header, cells }) =>
	(cells[header.indexOf('parameters')] ?? '')
		.replace(/ \([^)]*\)|^-$|Filters: /g, '')
		.split(', ')
		.filter(Boolean)
		.sort();

test('operations have their names, parameters and numbers', async () => {
	const faults = (await operationRows()).flatMap((row) => {
		const operation = facts.operations.find(({ name }) => name === row.name);
		if (operation === undefined) return [at(row.page, row, `there is no ${row.name}`)];
		const names = operation.facts.map(({ name }) => name).sort();
		const hasAll = !row.header.includes('parameters') || `${parametersIn(row)}` === `${names}`;
		const numbers = operation.facts.flatMap((fact) => fact.numbers);
		return [
			...(hasAll ? [] : [`it has ${names.join(', ')}`]),
			...wrongNumbersIn(row.cells.join(' '), numbers),
		].map((fault) => at(row.page, row, `${row.name}: ${fault}`));
	});
	expect(faults).toEqual([]);
});

test.each(['README.md', 'docs/actions.md'])('%s has every operation', async (path) => {
	const names = (await operationRows(path)).map(({ name }) => name);
	expect(names).toEqual(expect.arrayContaining(facts.operations.map(({ name }) => name)));
});

test.each(subjects)('%s describes every field and option', async (path, known) => {
	const own = (await fieldRows(path)).flatMap(namesIn);
	const ofOperations = (await operationRows(path)).flatMap(parametersIn);
	// The page of the trigger leads to those about answers.
	const shared = (await rowsOf(/^option$/, 'docs/actions.md')).flatMap(namesIn);
	const described = [...own, ...ofOperations, ...shared, ...ELSEWHERE];
	expect(described).toEqual(expect.arrayContaining(known.map(({ name }) => name)));
});

test('docs/trigger.md has the conditions of Only If as in the editor', async () => {
	const names = (await rowsOf(/^condition$/, 'docs/trigger.md')).flatMap(namesIn);
	expect(names.sort()).toEqual(Object.values(OPERATIONS).map(({ name }) => name));
});
