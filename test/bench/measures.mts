import type { Measure } from './row.mts';
import { median, summarize } from './statistics.mts';

export function measuresOf(values: Record<string, number[]>, unit: string): Measure[] {
	return Object.entries(values).map(([name, runs]) => ({ name, unit, ...summarize(runs) }));
}

export const ratio = (ours: number[], peers: number[]): number => median(ours) / median(peers);
