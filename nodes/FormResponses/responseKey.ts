import type { ResponseEnvelope } from './transport/types';

/** What makes two deliveries the same response: a response that is completed again counts as new. */
export const responseKey = ({ data }: ResponseEnvelope): string =>
	`${data.responseId} ${data.completedAt}`;
