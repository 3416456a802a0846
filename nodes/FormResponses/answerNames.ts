/** As long as PostgreSQL takes it. */
const MAX_COLUMN = 63;

/**
 * Makes names unique: `Name`, `Name (2)`, `Name (3)`.
 *
 * @param names all that are to be numbered: one that is unique stays as it is
 */
export function createNumbering(
	takenNames: string[],
	names: string[],
	withCount = (name: string, count: number) => `${name} (${count})`,
) {
	const taken = new Set(takenNames);
	const kept = new Set(names);
	const nextCount = new Map<string, number>();
	return (name: string): string => {
		let free = name;
		let count = nextCount.get(name) ?? 2;
		while (taken.has(free) || (free !== name && kept.has(free))) free = withCount(name, count++);
		nextCount.set(name, count);
		taken.add(free);
		return free;
	};
}

const cut = (name: string, length: number) => name.slice(0, length).replace(/_$/, '');

function asColumn(text: string): string {
	const plain = text.normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().toLowerCase();
	return plain.replace(/[^a-z0-9]+/g, '_').replace(/^_|_$/g, '');
}

/** Without them, another question could have the same name. */
const OTHER_SCRIPT = /[^\P{L}\p{Script=Latin}]/u;

/**
 * The name of a column that Data Table, SQLite and PostgreSQL take: `full_name`.
 *
 * @param id names what has letters of another script or neither letter nor digit, and ends what is too long
 */
export function columnName(label: string, id = label): string {
	const own = OTHER_SCRIPT.test(label) ? '' : asColumn(label);
	const name = /^[a-z]/.test(own) ? own : asColumn(`field ${own || id}`);
	if (name.length <= MAX_COLUMN) return name;
	const end = `_${asColumn(id).slice(-8)}`;
	return cut(name, MAX_COLUMN - end.length) + end;
}

/** No label alone gives a name with two underscores, so what another label is called changes nothing. */
export function withColumnCount(name: string, count: number): string {
	const end = `__${count}`;
	return cut(name, MAX_COLUMN - end.length) + end;
}
