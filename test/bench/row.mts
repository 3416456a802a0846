import type { Stage } from './stage/stage.mts';
import type { Summary } from './statistics.mts';

export interface Measure extends Summary {
	name: string;
	unit: string;
}

/** What must hold. */
export interface Check {
	what: string;
	value: number;
	unit: string;
	bar: { atMost: number } | { atLeast: number } | { exactly: number };
}

export interface RowResult {
	title: string;
	/** What was done, in a sentence or two. */
	how: string;
	measures: Measure[];
	checks: Check[];
}

export interface Bench {
	/** Opened at first use, because not every row needs n8n. */
	stage: () => Promise<Stage>;
	isQuick: boolean;
	show: (progress: string) => void;
}

export type Row = (bench: Bench) => Promise<RowResult>;

export function isMet({ value, bar }: Check): boolean {
	if ('atMost' in bar) return value <= bar.atMost;
	if ('atLeast' in bar) return value >= bar.atLeast;
	return value === bar.exactly;
}
