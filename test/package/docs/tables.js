const {
	credentials,
	fieldsOf,
	mostOf,
	nodes,
	operations,
	OF_OAUTH2,
	optionsOf,
	shortName,
} = require('./descriptions');
const { at } = require('./pages');

/**
 * @typedef {import('./pages').Page} Page
 * @typedef {import('./pages').Table} Table
 * @typedef {import('./descriptions').Property} Property
 * @typedef {import('./descriptions').Description} Description
 */

const column = (/** @type {Table} */ { header }, /** @type {RegExp} */ name) =>
	header.findIndex((cell) => name.test(cell));

/**
 * The node or credential that a table is about: the one that a heading above it names, or the page.
 *
 * @type {(page: Page, table: Table) => Description | undefined}
 */
function subjectOf({ path }, { headings }) {
	const [actions, trigger] = nodes;
	const named = headings
		.map((heading) => [...credentials, ...nodes].find(({ displayName }) => heading === displayName))
		.find((description) => description !== undefined);
	return (
		named ??
		(path.endsWith('trigger.md') ? trigger : path.endsWith('actions.md') ? actions : undefined)
	);
}

/**
 * The name or names in the first cell of a row.
 *
 * @type {(cell: string, known: string[]) => string[]}
 */
function namesIn(cell, known) {
	const name = cell.replace(/ \([^)]*\)$/, '');
	return known.includes(name) ? [name] : name.split(/, | and /);
}

const number = (/** @type {string | undefined} */ text) => Number((text ?? '').replaceAll(',', ''));

/**
 * What the text about a property says of its default, its least and its most, and is not so.
 *
 * @type {(property: Property, text: string) => string[]}
 */
function faultsOfText(property, text) {
	const { type, options = [], typeOptions: { minValue } = {} } = property;
	const maxValue = mostOf(property);
	/** @type {Array<[RegExp, (groups: string[]) => unknown, unknown]>} */
	const numbers = [
		[
			/\b([\d,]+) by default\b|\bdefault(?: is)?:? ([\d,]+)/i,
			([a, b]) => number(a ?? b),
			property.default,
		],
		[/\bat least ([\d,]+)/i, ([least]) => number(least), minValue],
		[/\bat most ([\d,]+)/i, ([most]) => number(most), maxValue],
		[/\bfrom ([\d,]+) to [\d,]+/i, ([least]) => number(least), minValue],
		[/\bfrom [\d,]+ to ([\d,]+)/i, ([, most]) => number(most), maxValue],
	];
	/** @type {typeof numbers} */
	const switches = [
		[/\b(on|off) by default\b/i, ([state]) => /on/i.test(state ?? ''), property.default],
	];
	const claims = type === 'number' ? numbers : type === 'boolean' ? switches : [];
	const faults = claims.flatMap(([pattern, said, is]) => {
		const [whole, ...groups] = pattern.exec(text) ?? [];
		return whole === undefined || said(groups) === is
			? []
			: [`"${whole}", but it is ${String(is)}`];
	});
	if (type !== 'options' && type !== 'multiOptions') return faults;
	const missing = options.filter(({ name }) => !text.includes(name));
	const initial = options.find(({ value }) => value === property.default)?.name;
	const isTold = /\bdefault\b/.test(text);
	const isRight = new RegExp(
		`${initial} \\([^)]*default\\)|default(?: is)?:? ${initial}|${initial} by default`,
	);
	return [
		...faults,
		...missing.map(({ name }) => `"${name}" is not mentioned`),
		...(isTold && !isRight.test(text) ? [`the default is "${initial}"`] : []),
	];
}

/** @type {(page: Page, table: Table, known: Property[], others: string[]) => string[]} */
function faultsOfRows(page, table, known, others) {
	const names = [...known.map(shortName), ...others];
	return table.rows.flatMap(([cell = '', ...rest], index) => {
		const line = table.lines[index] ?? 0;
		return namesIn(cell, names).flatMap((name) => {
			if (!names.includes(name)) return [at(page, line, `there is no "${name}" in the editor`)];
			const faults = known
				.filter((property) => shortName(property) === name)
				.map((property) => faultsOfText(property, rest.join(' ')));
			// A name can stand for several fields, such as Limit: one of them has to be meant.
			const [least = []] = faults.sort((a, b) => a.length - b.length);
			return least.map((fault) => at(page, line, `${name}: ${fault}`));
		});
	});
}

/**
 * The tables of fields or options, each with what it is about.
 *
 * @type {(pages: Page[], header: RegExp) => Array<{ page: Page, table: Table, subject: Description }>}
 */
const tablesOf = (pages, header) =>
	pages.flatMap((page) =>
		page.tables
			.filter((table) => column(table, header) === 0)
			.flatMap((table) => {
				const subject = subjectOf(page, table);
				return subject === undefined ? [] : [{ page, table, subject }];
			}),
	);

const FIELD = /^(field|parameter)s?$/i;
const OPTION = /^options?$/i;

/** @type {(pages: Page[]) => string[]} */
const faultsOfFields = (pages) => [
	...tablesOf(pages, FIELD).flatMap(({ page, table, subject }) =>
		faultsOfRows(page, table, fieldsOf(subject), credentials.includes(subject) ? OF_OAUTH2 : []),
	),
	...tablesOf(pages, OPTION).flatMap(({ page, table, subject }) =>
		faultsOfRows(page, table, optionsOf(subject), []),
	),
];

/** @type {(pages: Page[]) => string[]} what of the trigger no table describes */
function undescribed(pages) {
	const [, trigger] = nodes;
	if (trigger === undefined) return [];
	return [
		{ header: FIELD, properties: fieldsOf(trigger), except: ['Authentication'] },
		{ header: OPTION, properties: optionsOf(trigger), except: [] },
	].flatMap(({ header, properties, except }) => {
		const cells = tablesOf(pages, header)
			.filter(({ subject }) => subject === trigger)
			.flatMap(({ table }) =>
				table.rows.flatMap(([cell = '']) => namesIn(cell, properties.map(shortName))),
			);
		return properties
			.map(shortName)
			.filter((name) => !cells.includes(name) && !except.some((other) => other === name));
	});
}

/**
 * The rows of tables with resources and operations; an empty cell means the one above.
 *
 * @type {(page: Page) => Array<{ resource: string, operation: string, text: string, line: number }>}
 */
const operationRows = (page) =>
	page.tables
		.filter((table) => column(table, /^resource$/i) >= 0 && column(table, /^operations?$/i) >= 0)
		.flatMap((table) => {
			const [ofResource, ofOperation] = [
				column(table, /^resource$/i),
				column(table, /^operations?$/i),
			];
			let resource = '';
			return table.rows.flatMap((cells, index) => {
				resource = cells[ofResource] || resource;
				return (cells[ofOperation] ?? '').split(', ').map((operation) => ({
					...{ resource, operation, text: cells.join(' | '), line: table.lines[index] ?? 0 },
				}));
			});
		});

/** @type {(pages: Page[]) => string[]} */
const faultsOfOperations = (pages) =>
	pages.flatMap((page) =>
		operationRows(page).flatMap(({ resource, operation, text, line }) => {
			const found = operations.find(
				(other) => other.resource === resource && other.operation === operation,
			);
			if (!found) return [at(page, line, `there is no operation "${resource}: ${operation}"`)];
			const limit = found.properties.find(({ displayName }) => displayName === 'Limit');
			const filters = found.properties.find(({ displayName }) => displayName === 'Filters');
			const [, most] = /\bup to ([\d,]+)/.exec(text) ?? [];
			const [, initial] = /\(([\d,]+)(?: by default)?\)/.exec(text) ?? [];
			const [, named] = /\bFilters: ([^.|]+)/.exec(text) ?? [];
			const names = filters?.options?.map(shortName).sort().join(', ');
			return [
				...(most !== undefined && number(most) !== (limit && mostOf(limit))
					? [`"up to ${most}", but Limit is at most ${limit && mostOf(limit)}`]
					: []),
				...(initial !== undefined && number(initial) !== limit?.default
					? [`(${initial}), but Limit is ${String(limit?.default)} by default`]
					: []),
				...(named !== undefined && named.trim().split(', ').sort().join(', ') !== names
					? [`the filters are ${names}`]
					: []),
			].map((fault) => at(page, line, `${resource}: ${operation}: ${fault}`));
		}),
	);

/** @type {(page: Page) => string[]} */
const missingOperations = (page) =>
	operations
		.filter(
			({ resource, operation }) =>
				!operationRows(page).some(
					(row) => row.resource === resource && row.operation === operation,
				),
		)
		.map(({ resource, operation }) => `${resource}: ${operation}`);

module.exports = { faultsOfFields, undescribed, faultsOfOperations, missingOperations };
