import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @typedef {{ version?: string, optional?: boolean, devOptional?: boolean, peer?: boolean }} LockedPackage */

/**
 * @param {string} path
 * @returns {Record<string, LockedPackage>}
 */
function readLock(path) {
	return JSON.parse(readFileSync(path, 'utf8')).packages;
}

/**
 * Whether node_modules holds what package-lock.json says, by npm's own record of what it installed.
 *
 * @param {string} folder
 */
export function matchesLock(folder) {
	const record = join(folder, 'node_modules', '.package-lock.json');
	if (!existsSync(record)) return false;
	const wanted = readLock(join(folder, 'package-lock.json'));
	const present = readLock(record);
	const isForeign = Object.entries(present).some(
		([name, { version }]) => !(name in wanted) || wanted[name]?.version !== version,
	);
	const isMissing = Object.entries(wanted).some(
		([name, locked]) => name !== '' && !isOptional(locked) && present[name] === undefined,
	);
	return !isForeign && !isMissing;
}

/** @param {LockedPackage} locked */
function isOptional({ optional, devOptional, peer }) {
	return optional || devOptional || peer;
}

/** @param {string} folder */
function fingerprint(folder) {
	const lock = readFileSync(join(folder, 'package-lock.json'));
	const hash = createHash('sha256').update(lock).digest('hex');
	return `${hash} ${process.platform}-${process.arch}\n`;
}

/**
 * npm ci removes it together with node_modules, so it never outlives what it vouches for.
 *
 * @param {string} folder
 */
function stampPath(folder) {
	return join(folder, 'node_modules', '.setup-stamp');
}

/** @param {string} folder */
export function isStamped(folder) {
	const path = stampPath(folder);
	return existsSync(path) && readFileSync(path, 'utf8') === fingerprint(folder);
}

/** @param {string} folder */
export function stamp(folder) {
	writeFileSync(stampPath(folder), fingerprint(folder));
}
