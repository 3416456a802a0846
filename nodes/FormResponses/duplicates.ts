import type { IExecuteFunctions } from 'n8n-workflow';
import type { ResponseEnvelope } from './transport/types';

/** What makes two deliveries the same response: a response that is completed again counts as new. */
const keyOf = ({ data }: ResponseEnvelope): string => `${data.responseId} ${data.completedAt}`;

async function firstSeen(
	context: IExecuteFunctions,
	keys: string[],
	maxEntries: number,
): Promise<Set<unknown>> {
	const check = async () =>
		await context.helpers.checkProcessedAndRecord(keys, 'node', { mode: 'entries', maxEntries });
	try {
		return new Set((await check()).new);
	} catch {
		// The first insert of two executions that start together collides; the second try finds the row.
		return new Set((await check()).new);
	}
}

/**
 * The responses that this node has not processed before, in the given order; they are recorded as
 * processed. A store that fails twice lets all pass, because a response is better run twice than never.
 *
 * @param maxEntries how many processed responses the node remembers; the oldest are forgotten first
 */
export async function dropProcessed(
	context: IExecuteFunctions,
	envelopes: ResponseEnvelope[],
	maxEntries: number,
): Promise<ResponseEnvelope[]> {
	if (envelopes.length === 0) return [];
	const distinct = new Map(envelopes.map((envelope) => [keyOf(envelope), envelope]));
	try {
		const isNew = await firstSeen(context, [...distinct.keys()], maxEntries);
		return [...distinct].filter(([key]) => isNew.has(key)).map(([, envelope]) => envelope);
	} catch (error) {
		context.logger.warn(
			`The store of processed responses failed, so responses may run twice: ${(error as Error).message}`,
		);
		return [...distinct.values()];
	}
}
