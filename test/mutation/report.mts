import { readFileSync } from 'node:fs';

export interface Report {
	changes: number;
	noticed: number;
	/** "12:3 what stands there instead": the others. */
	survivors: string[];
}

/** What is used of https://github.com/stryker-mutator/mutation-testing-elements/tree/master/packages/report-schema. */
interface SchemaReport {
	files: Record<string, { mutants: Mutant[] }>;
}

interface Mutant {
	mutatorName: string;
	replacement?: string;
	status: string;
	location: { start: { line: number; column: number } };
}

/** A test failed, did not end, or its process did not get to the end. */
const NOTICED = ['Killed', 'Timeout', 'RuntimeError'];
/** What is not tried: it would not compile, or is done once, when the file is loaded. */
const LEFT_OUT = ['CompileError', 'Ignored'];

function describe({ mutatorName, replacement = '', location: { start } }: Mutant): string {
	return `${start.line}:${start.column} ${mutatorName}: ${replacement.replace(/\s+/g, ' ').slice(0, 100)}`;
}

export function readReport(path: string): Report {
	const { files } = JSON.parse(readFileSync(path, 'utf8')) as SchemaReport;
	const tried = Object.values(files)
		.flatMap(({ mutants }) => mutants)
		.filter(({ status }) => !LEFT_OUT.includes(status));
	const missed = tried.filter(({ status }) => !NOTICED.includes(status));
	return {
		changes: tried.length,
		noticed: tried.length - missed.length,
		survivors: missed.map(describe),
	};
}

export function addUp(reports: Report[]): Pick<Report, 'changes' | 'noticed'> {
	const sum = (key: 'changes' | 'noticed') =>
		reports.reduce((total, report) => total + report[key], 0);
	return { changes: sum('changes'), noticed: sum('noticed') };
}
