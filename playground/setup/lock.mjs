import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

function readLock(path) {
	return JSON.parse(readFileSync(path, 'utf8')).packages;
}

/** Whether node_modules holds what package-lock.json says, by npm's own record of what it installed. */
export function matchesLock(folder) {
	const record = join(folder, 'node_modules', '.package-lock.json');
	if (!existsSync(record)) return false;
	const wanted = readLock(join(folder, 'package-lock.json'));
	const present = readLock(record);
	const foreign = Object.keys(present).some(
		(name) => wanted[name] === undefined || wanted[name].version !== present[name].version,
	);
	const missing = Object.keys(wanted).some(
		(name) => name !== '' && !isOptional(wanted[name]) && present[name] === undefined,
	);
	return !foreign && !missing;
}

function isOptional({ optional, devOptional, peer }) {
	return optional || devOptional || peer;
}

function fingerprint(folder) {
	const lock = readFileSync(join(folder, 'package-lock.json'));
	const hash = createHash('sha256').update(lock).digest('hex');
	return `${hash} ${process.platform}-${process.arch}\n`;
}

// npm ci removes it together with node_modules, so it never outlives what it vouches for.
function stampPath(folder) {
	return join(folder, 'node_modules', '.setup-stamp');
}

export function isStamped(folder) {
	const path = stampPath(folder);
	return existsSync(path) && readFileSync(path, 'utf8') === fingerprint(folder);
}

export function stamp(folder) {
	writeFileSync(stampPath(folder), fingerprint(folder));
}
