import type { Rig } from '../../test/n8n/kit/test-rig.mts';

/** The figures of all runs, by contestant and by what comes after the figure, such as `ms` or `requests`. */
export type Measured = Record<string, Record<string, number[]>>;

const bars = {
	'at most': (value: number, bar: number) => value <= bar,
	'at least': (value: number, bar: number) => value >= bar,
	exactly: (value: number, bar: number) => value === bar,
};

/** What must hold. */
export interface Check {
	what: string;
	value: number;
	/** A multiple, unless it says something else. */
	unit?: string;
	bar: [how: keyof typeof bars, than: number];
}

export interface Row {
	title: string;
	/** What is done, in a sentence or two. */
	how: string;
	/** How many runs count: an odd number. */
	counted: number;
	/** All contestants run at the same time rather than in turn. */
	together?: boolean;
	/** Where it is not the n8n of the other rows. */
	open?: () => Promise<Rig>;
	/** Prepares the contestants, with a form service that is empty; each gives the figures of one run. */
	runs: (stage: Rig) => Promise<Record<string, () => Promise<Record<string, number>>>>;
	checks: (measured: Measured) => Check[];
}

export interface Result {
	row: Row;
	measured: Measured;
	checks: Check[];
}

export const isMet = ({ value, bar: [how, than] }: Check) => bars[how](value, than);

/** Of an odd number of values. */
export const median = (values: number[]) =>
	values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];

/** Of the runs of each round, which follow each other: the machine may be twice as fast in another round. */
export const ratio = (ours: number[], others: number[]) =>
	median(ours.map((value, round) => value / others[round]));
