import { relative } from 'node:path';
import { isStamped, stamp } from './lock.mjs';
import { parts } from './parts.mjs';
import { startProgress } from './progress.mjs';

/**
 * @param {import('./parts.mjs').Part} part
 * @param {import('./parts.mjs').Step} step
 * @param {string} output
 */
function explainFailure(part, step, output) {
	const tail = output.trim().split('\n').slice(-25).join('\n');
	const folder = relative(process.cwd(), part.folder) || '.';
	console.error(`\n${tail}\n`);
	console.error(`Setting up ${part.title} failed in ${folder}; the last of npm's output is above.`);
	console.error(
		'Check the connection to the npm registry and the free disk space, then run the same command again.',
	);
}

/** @param {import('./parts.mjs').Part} part */
async function installPart(part) {
	if (part.elsewhere || isStamped(part.folder)) return true;
	const [first, ...others] = part.steps;
	const isFresh = !first.isDone(part.folder);
	const open = isFresh ? part.steps : others.filter((step) => !step.isDone(part.folder));
	if (open.length > 0) console.log(`Setting up ${part.title} (${part.expect}, once)`);
	for (const step of open) {
		const end = startProgress(step.title);
		const { code, output } = await step.run(part.folder);
		const succeeded = code === 0 && step.isDone(part.folder);
		end(succeeded ? 'done' : 'failed');
		if (!succeeded) {
			explainFailure(part, step, output);
			return false;
		}
	}
	stamp(part.folder);
	return true;
}

/** @param {string[]} names of `parts` */
export async function install(names) {
	const unknown = names.filter((name) => !Object.hasOwn(parts, name));
	if (names.length === 0 || unknown.length > 0) {
		const known = Object.keys(parts).join(', ');
		console.error(
			`${unknown.length ? `Unknown part: ${unknown.join(', ')}. ` : ''}Name what to set up: ${known}.`,
		);
		process.exit(1);
	}
	for (const name of names) {
		const part = parts[name];
		if (part && !(await installPart(part))) process.exit(1);
	}
}
