import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { limit } from './limit.mjs';
import { withLock } from './lock.mjs';
import { npm } from './npm.mjs';
import { parts } from './parts.mjs';
import { startProgress } from './progress.mjs';
import { makeSqlite, placeSqlite, sqliteStep } from './sqlite.mjs';

/** npm works on one core, so a second installation costs little beside it. */
const AT_ONCE = Math.min(2, availableParallelism());

/** @param {string} folder */
function fingerprint(folder) {
	const lock = readFileSync(join(folder, 'package-lock.json'));
	const hash = createHash('sha256').update(lock).digest('hex');
	return `${hash} ${process.platform}-${process.arch}\n`;
}

/**
 * npm ci removes the stamp together with node_modules, so it never outlives the installation.
 *
 * @param {string} folder
 */
const stampPath = (folder) => join(folder, 'node_modules', '.setup-stamp');

/** @param {string} folder */
function isInstalled(folder) {
	const path = stampPath(folder);
	return existsSync(path) && readFileSync(path, 'utf8') === fingerprint(folder);
}

/**
 * @param {import('./parts.mjs').Part} part
 * @param {AbortSignal} signal
 */
async function installModules({ folder, hasNode, isN8n }, signal) {
	// npm 10 and 11 differ in which install scripts they run, so none run here; the needed ones follow.
	// n8n's tree has contradicting peer dependencies.
	await npm(folder, ['ci', '--ignore-scripts', ...(isN8n ? ['--legacy-peer-deps'] : [])], signal);
	// The npm package "node" fetches its binary in an install script.
	if (hasNode) await npm(folder, ['rebuild', 'node'], signal);
}

/**
 * Gives the named parts that are not installed, those that take longest first.
 *
 * @param {string[]} names
 */
const missing = (names) =>
	names
		.filter((name) => name !== 'n8n' || !process.env.N8N_DIR)
		.flatMap((name) => parts[name] ?? [])
		.filter(({ folder }) => !isInstalled(folder))
		.toSorted((one, other) => other.seconds - one.seconds);

/** @param {import('./parts.mjs').Part[]} wanted */
function startInstalling(wanted) {
	const steps = wanted.flatMap((part) => (part.isN8n ? [part, sqliteStep] : [part]));
	const progress = startProgress(steps, AT_ONCE);
	const inTurn = limit(AT_ONCE);
	const failure = new AbortController();
	const { signal } = failure;
	/** @type {Array<Promise<unknown>>} */
	const begun = [];

	/**
	 * @template T
	 * @param {import('./parts.mjs').Step} step
	 * @param {() => Promise<T>} work
	 */
	function run(step, work) {
		const running = inTurn(async () => {
			signal.throwIfAborted();
			return await progress.during(step, work);
		});
		begun.push(running);
		return running;
	}

	return {
		progress,
		/** @param {import('./parts.mjs').Part} part */
		async installPart(part) {
			const { folder, isN8n } = part;
			if (isInstalled(folder)) return;
			const [, sqlite] = await Promise.all([
				run(part, () => installModules(part, signal)),
				isN8n && run(sqliteStep, () => makeSqlite(folder, signal)),
			]);
			if (sqlite) placeSqlite(folder, sqlite);
			writeFileSync(stampPath(folder), fingerprint(folder));
		},
		async stop() {
			failure.abort();
			await Promise.allSettled(begun);
		},
	};
}

/** @param {string[]} names keys of `parts` */
export async function install(names) {
	const unknown = names.filter((name) => !Object.hasOwn(parts, name));
	if (names.length === 0 || unknown.length > 0) {
		if (unknown.length > 0) console.error(`Unknown part: ${unknown.join(', ')}.`);
		console.error(`Name what to set up: ${Object.keys(parts).join(', ')}.`);
		process.exit(1);
	}
	const wanted = missing(names);
	if (wanted.length === 0) return;
	const { progress, installPart, stop } = startInstalling(wanted);
	try {
		await Promise.all(wanted.map((part) => withLock(part.folder, () => installPart(part))));
		progress.end('Installed');
	} catch (error) {
		await stop();
		progress.end('Failed');
		console.error(`\n${/** @type {Error} */ (error).message}`);
		process.exit(1);
	}
}
