import { aResponse, anError, idOf } from '../../../../kit/samples';
import { deliver } from '../../../../kit/delivery';
import type { Stored } from '../../../../kit/workflow';
import type { ResponseEnvelope } from '../../../../../../nodes/FormResponses/transport/types';
import { ok, reply, type FakeService, type Reply } from '../../../../kit/formService';

/** When the clock starts, and the live key is made. */
export const NOW = Date.parse('2026-03-01T12:00:00Z');

/** The query of a key that nobody knows, made so long after the live one. */
export const keyMade = (ms: number, of = 'x') => ({ key: `${NOW + ms}.${of.repeat(43)}` });

/** The nth of many responses, completed so many seconds after the start. */
export const responseAt = (seconds: number, n = 0, more: object = {}): ResponseEnvelope =>
	aResponse({
		responseId: idOf(n, 3),
		completedAt: new Date(NOW + seconds * 1_000).toISOString(),
		...more,
	});

export const ABSENT = reply(404, anError('not_found', 'No such completed response'));

/** Lets the service show these responses, and no others. @returns how often it was asked */
export function show(
	service: FakeService,
	responses: ResponseEnvelope[],
	absent: () => Reply = () => ABSENT,
) {
	const byId = new Map(responses.map((one) => [one.data.responseId, one]));
	service.always('GET', /^\/responses\//, ({ path }) => {
		const shown = byId.get(path.slice('/responses/'.length));
		return shown ? ok(shown) : absent();
	});
	return () => service.sent.filter(({ path }) => path.startsWith('/responses/')).length;
}

/** Delivers all at once. @returns the answers, how many run, and how many are to come again */
export async function deliverAll(
	stored: Stored,
	bodies: ResponseEnvelope[],
	queryOf: (n: number) => Record<string, string>,
) {
	const all = bodies.map(async (body, n) => await deliver(stored, { body, query: queryOf(n) }));
	const answers = await Promise.all(all);
	const runs = answers.filter(({ run }) => run).length;
	return { answers, runs, 503: answers.filter(({ status }) => status === 503).length };
}
