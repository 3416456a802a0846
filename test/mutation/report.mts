import { readFileSync } from 'node:fs';

/** A change of the code in one place. */
export interface Change {
	file: string;
	/** Where, and what stands there instead: "12:3 BooleanLiteral: false". */
	name: string;
	/** The place as the mutation tester wants it: "12:2-12:7". */
	range: string;
	isNoticed: boolean;
	/** No test failed, but one did not end, or its process did not get to the end. */
	isCutOff: boolean;
}

/** What is used of https://github.com/stryker-mutator/mutation-testing-elements/tree/master/packages/report-schema. */
interface SchemaReport {
	files: Record<string, { mutants: Mutant[] }>;
}

/** Lines and columns count from 1. */
interface Position {
	line: number;
	column: number;
}

interface Mutant {
	mutatorName: string;
	replacement?: string;
	status: string;
	location: { start: Position; end: Position };
}

const CUT_OFF = ['Timeout', 'RuntimeError'];
const NOTICED = ['Killed', ...CUT_OFF];
/** What is not tried: it would not compile, or is done once, when the file is loaded. */
const LEFT_OUT = ['CompileError', 'Ignored'];

const nameOf = ({ mutatorName, replacement = '', location: { start } }: Mutant) =>
	`${start.line}:${start.column} ${mutatorName}: ${replacement.replace(/\s+/g, ' ')}`;

/** Columns of ranges count from 0 (https://stryker-mutator.io/docs/stryker-js/configuration/#mutate-string). */
const place = ({ line, column }: Position) => `${line}:${column - 1}`;

export function readReport(path: string): Change[] {
	const { files } = JSON.parse(readFileSync(path, 'utf8')) as SchemaReport;
	return Object.entries(files)
		.flatMap(([file, { mutants }]) => mutants.map((mutant) => ({ file, ...mutant })))
		.filter(({ status }) => !LEFT_OUT.includes(status))
		.map((mutant) => ({
			file: mutant.file,
			name: nameOf(mutant),
			range: `${place(mutant.location.start)}-${place(mutant.location.end)}`,
			isNoticed: NOTICED.includes(mutant.status),
			isCutOff: CUT_OFF.includes(mutant.status),
		}));
}

const isNoticed = (change: Change) => change.isNoticed;

export const missedOf = (changes: Change[]) => changes.filter((change) => !isNoticed(change));

// Several changes can begin at the same place.
const idOf = ({ file, range, name }: Change) => `${file}:${range} ${name}`;

/** All changes of both reports; noticed is what was noticed in one of them. */
export function together(first: Change[], second: Change[]): Change[] {
	const noticed = new Set([...first, ...second].filter(isNoticed).map(idOf));
	const all = new Map([...first, ...second].map((change) => [idOf(change), change]));
	return [...all].map(([id, change]) => ({ ...change, isNoticed: noticed.has(id) }));
}
