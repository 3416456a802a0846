import type { ResponseEnvelope } from './types';

/** The second of a time, in milliseconds: a service may leave out fractions here, and give them there. */
export const secondOf = (time: string): number => Math.floor(Date.parse(time) / 1_000) * 1_000;

/** Identifies one completion of a response, however the service spells it: completing it again gives another key. */
export const responseKey = ({ data }: ResponseEnvelope): string =>
	`${data.responseId.toLowerCase()} ${new Date(secondOf(data.completedAt)).toISOString()}`;
