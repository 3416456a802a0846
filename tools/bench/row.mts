import type { Rig } from '../../test/n8n/kit/real-n8n.mts';

/** What a figure has to be: `≤` at most, `≥` at least, `=` exactly that; `×` is a multiple of a peer or a limit. */
export type Bar = `${'≤' | '≥' | '='}${number}${'' | '×' | ' ms' | ' kB'}`;

/** The figures of all runs, by contestant and by what comes after the figure, such as `ms` or `requests`. */
export type Measured = Record<string, Record<string, number[]>>;

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
	runs: (rig: Rig) => Promise<Record<string, () => Promise<Record<string, number>>>>;
	/** What is compared, and the bar for it. */
	checks: (measured: Measured) => Record<string, [value: number, bar: Bar]>;
}

export interface Check {
	row: string;
	what: string;
	value: number;
	bar: Bar;
}

/** Of an odd number of values. */
export const median = (values: number[]) =>
	values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)];

/** Of the runs of each round, which follow each other: the machine may be twice as fast in another round. */
export const ratio = (ours: number[], others: number[]) =>
	median(ours.map((value, round) => value / others[round]));
