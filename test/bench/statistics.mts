export interface Summary {
	runs: number;
	median: number;
	min: number;
	max: number;
}

export function median(values: number[]): number {
	const sorted = values.toSorted((one, other) => one - other);
	const middle = Math.floor(sorted.length / 2);
	return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

export function summarize(values: number[]): Summary {
	return {
		runs: values.length,
		median: median(values),
		min: Math.min(...values),
		max: Math.max(...values),
	};
}
