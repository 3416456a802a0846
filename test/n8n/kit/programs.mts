import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';

// Debian keeps PostgreSQL's server programs off the PATH, one folder for each version.
const foldersOfPostgres = globSync('/usr/lib/postgresql/*/bin').sort((one, other) =>
	other.localeCompare(one, 'en', { numeric: true }),
);
const folders = [...(process.env.PATH ?? '').split(delimiter), ...foldersOfPostgres];

const find = (name: string) => folders.map((folder) => join(folder, name)).find(existsSync);

/** What to install, where something is missing. */
export function missingPrograms(): string | undefined {
	const missing = ['redis-server', 'postgres', 'pg_dump'].filter((name) => !find(name));
	if (missing.length === 0) return undefined;
	return `Queue mode needs Redis and PostgreSQL, and ${missing.join(', ')} is not on this machine: apt-get install redis-server postgresql`;
}

export function program(name: string): string {
	const path = find(name);
	if (!path) throw new Error(missingPrograms() ?? `${name} is not on this machine.`);
	return path;
}
