import type { Rig } from '../../test/n8n/kit/real-n8n.mts';

/** What a figure has to be: `≤` at most, `≥` at least, `=` exactly that; `×` is a multiple of a peer or a limit. */
export type Bar = `${'≤' | '≥' | '='}${number}${'' | '×' | ' ms' | ' kB'}`;

/** Contestants; each gives the figures of one run, by what comes after the figure, such as `ms` or `requests`. */
export type Runs = Record<string, () => Promise<Record<string, number>>>;

/** The figures of all runs. */
export type Measured<Of extends Runs = Runs> = {
	[Name in keyof Of]: Record<keyof Awaited<ReturnType<Of[Name]>>, number[]>;
};

export interface Row<Of extends Runs = Runs> {
	title: string;
	/** What is done, in a sentence or two. */
	how: string;
	/** How many runs count: an odd number. */
	counted: number;
	/** All contestants run at the same time rather than in turn. */
	together?: boolean;
	/** Where it is not the n8n of the other rows. */
	open?: () => Promise<Rig>;
	/** Prepares the contestants, with a form service that is empty. */
	runs(rig: Rig): Promise<Of>;
	/** What is compared, and the bar for it. */
	checks(measured: Measured<Of>): Record<string, [value: number, bar: Bar]>;
}

/** Its checks know the contestants by name, and their figures. */
export const rowOf = <Of extends Runs>(row: Row<Of>): Row => row;

export interface Check {
	row: string;
	what: string;
	value: number;
	bar: Bar;
}

/** Of an odd number of values. */
export const median = (values: number[]) =>
	values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;

/** Of the runs of each round, which follow each other: the machine may be twice as fast in another round. */
export const ratio = (ours: number[], others: number[]) =>
	median(ours.map((value, round) => value / others[round]!));
