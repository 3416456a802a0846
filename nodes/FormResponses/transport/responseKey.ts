import type { ResponseEnvelope } from './types';

/** Identifies one completion of a response, however the service spells it: completing it again gives another key. */
export const responseKey = ({ data }: ResponseEnvelope): string =>
	`${data.responseId.toLowerCase()} ${new Date(data.completedAt).toISOString()}`;
