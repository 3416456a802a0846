import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { publishTrigger, type PublishedTrigger } from '../live/published-trigger.mts';
import type { Envelope } from '../../playground/service/client.mts';
import type { RequestRecord } from '../../playground/service/request-log.mts';
import { openStage, type Stage } from '../live/stage.mts';

const WORKFLOWS = 60;
const MISSED = 2;
const PER_SECOND = 2;
const MINUTE = 60_000;

/** The first look of each trigger that was answered. */
function firstLooks(requests: RequestRecord[]) {
	const looks = requests.filter(
		({ path, status }) => path.endsWith('/responses') && status === 200,
	);
	return looks.filter(({ path }, n) => looks.findIndex((look) => look.path === path) === n);
}

describe(`${WORKFLOWS} workflows at a limit of ${PER_SECOND} requests per second`, () => {
	let stage: Stage;
	before(async () => void (stage = await openStage({ engine: 'publication' })));
	after(async () => await stage?.close());

	test('n8n killed and started: all caught up about as fast as the limit allows, one hook each', async (context) => {
		const { service } = stage;
		await service.settings({ maxHooks: 2 * WORKFLOWS });
		const triggers: PublishedTrigger[] = [];
		for (let n = 0; n < WORKFLOWS; n++) triggers.push(await publishTrigger(stage));
		const missed = new Map<string, Envelope[]>();
		await stage.restart({
			crash: true,
			whileDown: async () => {
				for (const { form, complete } of triggers) missed.set(form.id, await complete(MISSED));
				await service.forgetRequests();
				const rateLimit = { perSecond: PER_SECOND, burst: PER_SECOND };
				await service.settings({ rateLimit });
			},
		});
		const caughtUp = async () => {
			for (const { form, ranOnceEach } of triggers) {
				await ranOnceEach(missed.get(form.id)!, 4 * MINUTE);
			}
		};
		await caughtUp();
		const requests = await service.requests();
		const toHooks = requests.filter(({ path }) => path.startsWith('/hooks'));
		const looks = firstLooks(requests);
		const lookedMs = Date.parse(looks.at(-1)!.at) - Date.parse(requests[0]!.at);
		context.diagnostic(`${toHooks.length} requests for hooks; all looked within ${lookedMs} ms`);
		assert.deepEqual([toHooks.length, looks.length], [0, WORKFLOWS]);
		assert.ok(lookedMs <= (1.1 * WORKFLOWS * 1_000) / PER_SECOND, `looks took ${lookedMs} ms`);
		const answered = requests.filter(({ status }) => status !== null && status < 400);
		const tookMs = Date.now() - Date.parse(requests[0]!.at);
		const allowedMs = (answered.length / PER_SECOND) * 1_000;
		context.diagnostic(
			`${answered.length} of ${requests.length} requests answered; ${tookMs / allowedMs} of what the limit allows`,
		);
		assert.ok(tookMs <= 1.3 * allowedMs, `${tookMs} ms, ${allowedMs} ms allowed`);
		await service.settings({ rateLimit: null });
		// A hook whose removal was refused removes itself when it delivers.
		for (const { form, complete } of triggers) missed.get(form.id)!.push(...(await complete()));
		for (const { hasOneHook } of triggers) await hasOneHook();
		await caughtUp();
	});
});
