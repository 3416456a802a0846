import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { TestEvent } from '../run/node-tests.mts';

interface AreaResult {
	passed: number;
	failed: string[];
	lacking: Array<{ test: string; reason: string }>;
}

export interface VersionResult {
	/** The day on which it was run. */
	on: string;
	/** Failures, those of whole files included. */
	failed: number;
	areas: Record<string, AreaResult>;
}

export type Results = Record<string, VersionResult>;

const path = join(import.meta.dirname, 'results.json');

export function readResults(): Results {
	return JSON.parse(readFileSync(path, 'utf8')) as Results;
}

/** @returns what was written: the results of the versions that there still are, in their order */
export function writeResults(results: Results, versions: string[]): Results {
	const kept = versions.filter((version) => version in results);
	const ordered = Object.fromEntries(kept.map((version) => [version, results[version]!]));
	writeFileSync(path, `${JSON.stringify(ordered, null, '\t')}\n`);
	return ordered;
}

function summarizeArea(tests: TestEvent[]): AreaResult {
	const ran = tests.filter(({ skip }) => !skip);
	return {
		passed: ran.filter(({ isPassed }) => isPassed).length,
		failed: ran.filter(({ isPassed }) => !isPassed).map(({ name }) => name),
		lacking: tests.flatMap(({ name, skip }) => (skip ? { test: name, reason: String(skip) } : [])),
	};
}

export function summarize(tests: TestEvent[]): Pick<VersionResult, 'areas'> {
	const byFile = Map.groupBy(tests, ({ file = '' }) => basename(file));
	return {
		areas: Object.fromEntries([...byFile].map(([file, ofFile]) => [file, summarizeArea(ofFile)])),
	};
}
