import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { npm } from './npm.mjs';
import { parts } from './parts.mjs';
import { startProgress } from './progress.mjs';
import { makeSqlite, placeSqlite, sqlite } from './sqlite.mjs';

/** @typedef {import('./parts.mjs').Part} Part */

/** npm works on one core, so a second installation costs little beside it. */
const AT_ONCE = Math.min(2, availableParallelism());

/** npm ci removes the stamp together with node_modules, so it never outlives the installation. */
const STAMP = join('node_modules', '.setup-stamp');

/** @param {Part} part */
function stampOf({ folder }) {
	const lock = readFileSync(join(folder, 'package-lock.json'));
	const hash = createHash('sha256').update(lock).digest('hex');
	return `${hash} ${process.platform}-${process.arch}\n`;
}

/** @param {Part} part */
function isMissing(part) {
	const path = join(part.folder, STAMP);
	return !existsSync(path) || readFileSync(path, 'utf8') !== stampOf(part);
}

/**
 * What installs a part. SQLite comes before n8n, so that n8n never waits for something that has not begun.
 *
 * @param {Part} part
 * @param {AbortSignal} signal
 */
function stepsOf(part, signal) {
	const { folder, isN8n } = part;
	/** @type {Promise<Uint8Array>} */
	let program;
	const makeProgram = () => (program = makeSqlite(folder, signal));

	async function installModules() {
		// npm 10 and 11 differ in which install scripts they run, so none run here; the needed ones follow.
		// n8n's tree has contradicting peer dependencies.
		const peers = isN8n ? ['--legacy-peer-deps'] : [];
		await npm(folder, ['ci', '--ignore-scripts', ...peers], signal);
		// The npm package "node", where it is one of them, fetches its binary in an install script.
		await npm(folder, ['rebuild', 'node'], signal);
		if (isN8n) placeSqlite(folder, await program);
		writeFileSync(join(folder, STAMP), stampOf(part));
	}
	const modules = { ...part, work: installModules };
	return isN8n ? [{ ...sqlite, work: makeProgram }, modules] : [modules];
}

/** @param {Part[]} wanted */
async function installMissing(wanted) {
	const missing = wanted.filter(isMissing).toSorted((one, other) => other.seconds - one.seconds);
	if (missing.length === 0) return;
	const failure = new AbortController();
	const { signal } = failure;
	const steps = missing.flatMap((part) => stepsOf(part, signal));
	const progress = startProgress(steps, AT_ONCE);
	const waiting = steps.values();

	async function takeSteps() {
		for (const step of waiting) {
			await progress.during(step, step.work).catch((error) => failure.abort(error));
			if (signal.aborted) return;
		}
	}
	await Promise.all(Array.from({ length: AT_ONCE }, takeSteps));
	progress.end(signal.aborted ? 'Failed' : 'Installed');
	signal.throwIfAborted();
}

/** @param {string[]} names keys of `parts` */
export async function install(names) {
	try {
		const unknown = names.filter((name) => !parts[name]).join(', ');
		const known = Object.keys(parts).join(', ');
		if (unknown) throw new Error(`There is no part ${unknown}. Name what to install: ${known}.`);
		// N8N_DIR names an n8n that is installed already.
		const needed = names.filter((name) => name !== 'n8n' || !process.env.N8N_DIR);
		const wanted = needed.flatMap((name) => parts[name] ?? []);
		if (wanted.some(isMissing)) await withLock(() => installMissing(wanted));
	} catch (error) {
		console.error(`\n${/** @type {Error} */ (error).message}`);
		process.exit(1);
	}
}
