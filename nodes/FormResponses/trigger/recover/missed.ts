import { responseKey } from '../../responseKey';
import type { ResponseEnvelope } from '../../transport/types';
import type { Start } from '../state/state';

/** Filters responses since the start that are not known to have run; returns them oldest first. */
export function missedOf(
	newest: ResponseEnvelope[],
	{ since, baseline }: Start,
	isKnown: (key: string) => boolean,
): ResponseEnvelope[] {
	const sinceTime = since ? Date.parse(since) : -Infinity;
	const isMissed = (envelope: ResponseEnvelope) => {
		const key = responseKey(envelope);
		const isOurs = Date.parse(envelope.data.completedAt) >= sinceTime && !baseline.includes(key);
		return isOurs && !isKnown(key);
	};
	return newest.filter(isMissed).reverse();
}
