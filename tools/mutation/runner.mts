import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type Jest from 'jest-runner';
import { newlyReached } from './environment.mts';

// An import would give it other types: it is a CommonJS module.
const { default: TestRunner } = createRequire(import.meta.url)('jest-runner') as typeof Jest;

type Runner = InstanceType<typeof TestRunner>;

/** By test file, which changes it reaches; kept in the copy of the project that Stryker changes. */
const path = join(process.cwd(), '.reached.json');

/** Runs for a change only the files that reach it, the quickest first, until one has noticed it. */
export default class extends TestRunner {
	override async runTests(...[files, watcher, options]: Parameters<Runner['runTests']>) {
		const change = process.env.__STRYKER_ACTIVE_MUTANT__;
		const reached: Record<string, string[]> = existsSync(path)
			? JSON.parse(readFileSync(path, 'utf8'))
			: {};
		this.on('test-file-success', ([file, { numFailingTests }]) => {
			if (numFailingTests > 0) void watcher.setState({ interrupted: true });
			if (change === undefined) reached[file.path] = newlyReached();
		});
		const chosen = files
			.filter((file) => change === undefined || reached[file.path]?.includes(change))
			.sort((a, b) => (a.duration ?? 0) - (b.duration ?? 0));
		await super.runTests(chosen, watcher, options);
		if (change === undefined) writeFileSync(path, JSON.stringify(reached));
	}
}
