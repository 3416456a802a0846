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

/** The exponent k of y = c · xᵏ that fits best: 1 where y grows as x does. */
export function growthExponent(points: Array<{ x: number; y: number }>): number {
	const logs = points.map(({ x, y }) => ({ x: Math.log(x), y: Math.log(y) }));
	const meanX = logs.reduce((sum, { x }) => sum + x, 0) / logs.length;
	const meanY = logs.reduce((sum, { y }) => sum + y, 0) / logs.length;
	const covariance = logs.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0);
	const variance = logs.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
	return covariance / variance;
}
