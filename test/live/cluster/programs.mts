import { existsSync, globSync } from 'node:fs';
import { delimiter, join } from 'node:path';

// Debian keeps PostgreSQL's server programs off the PATH, one folder for each version.
const versionOf = (folder: string) => Number(folder.split('/').at(-2));
const ofPostgres = globSync('/usr/lib/postgresql/*/bin').sort(
	(a, b) => versionOf(b) - versionOf(a),
);
const onPath = (process.env.PATH ?? '').split(delimiter).filter(Boolean);

const debianPackages = {
	'redis-server': 'redis-server',
	initdb: 'postgresql',
	postgres: 'postgresql',
	createdb: 'postgresql',
	pg_dump: 'postgresql',
	pg_restore: 'postgresql',
};

export type Program = keyof typeof debianPackages;

function find(name: string): string | undefined {
	return [...onPath, ...ofPostgres].map((folder) => join(folder, name)).find(existsSync);
}

/** What to install, where something is missing. */
export function missingPrograms(): string | undefined {
	const missing = (Object.keys(debianPackages) as Program[]).filter((name) => !find(name));
	if (missing.length === 0) return undefined;
	const packages = new Set(missing.map((name) => debianPackages[name]));
	return `Queue mode needs Redis and PostgreSQL, and ${missing.join(', ')} is not on this machine: apt-get install ${[...packages].join(' ')}`;
}

export function program(name: Program): string {
	const path = find(name);
	if (!path) throw new Error(missingPrograms());
	return path;
}
