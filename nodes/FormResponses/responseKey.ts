import type { ResponseEnvelope } from './transport/types';

/**
 * What makes two deliveries the same response: a response that is completed again counts as new, one
 * that is only spelled differently does not.
 */
export const responseKey = ({ data }: ResponseEnvelope): string =>
	`${data.responseId.toLowerCase()} ${new Date(data.completedAt).toISOString()}`;
