import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RequestRecord } from '../../../playground/service/request-log.mts';
import { type PublishedTrigger, publishTrigger } from '../kit/published-trigger.mts';
import { useRig } from '../kit/real-n8n.mts';

const WORKFLOWS = 30;
const MISSED = 2;
const PER_SECOND = 2;
const MINUTE = 60_000;
/** The second look may come half a minute after the first one. */
const SOON = 25_000;

/** The looks that were answered: the first of each trigger, and those that came soon after it. */
function looksOf(requests: RequestRecord[]) {
	const looks = requests
		.filter(({ path, status }) => path.endsWith('/responses') && status === 200)
		.map(({ path, at }) => ({ path, at: Date.parse(at) }));
	const firstOf = (path: string) => looks.find((look) => look.path === path)!;
	const first = looks.filter((look) => look === firstOf(look.path));
	const again = looks.filter((look) => !first.includes(look));
	return { first, soonAgain: again.filter(({ path, at }) => at - firstOf(path).at < SOON) };
}

describe(`${WORKFLOWS} workflows at a limit of ${PER_SECOND} requests per second`, () => {
	const rig = useRig(async () => ({ engine: 'publication' }));

	test('n8n killed and started: each caught up by one look and has one hook', async (context) => {
		const { service } = rig;
		await service.settings({ maxHooks: 2 * WORKFLOWS });
		const triggers: PublishedTrigger[] = [];
		for (let n = 0; n < WORKFLOWS; n++) triggers.push(await publishTrigger(rig));
		await rig.restart({
			crash: true,
			whileDown: async () => {
				for (const { complete } of triggers) await complete(MISSED);
				await service.forgetRequests();
				const rateLimit = { perSecond: PER_SECOND, burst: PER_SECOND };
				await service.settings({ rateLimit });
			},
		});
		const caughtUp = async () => {
			for (const { ranAll } of triggers) await ranAll(4 * MINUTE);
		};
		await caughtUp();
		const requests = await service.requests();
		const toHooks = requests.filter(({ path }) => path.startsWith('/hooks'));
		const { first, soonAgain } = looksOf(requests);
		context.diagnostic(`all looked within ${first.at(-1)!.at - first[0]!.at} ms`);
		assert.deepEqual(
			{ toHooks: toHooks.length, first: first.length, soonAgain: soonAgain.length },
			{ toHooks: 0, first: WORKFLOWS, soonAgain: 0 },
		);
		await service.settings({ rateLimit: null });
		for (const { complete } of triggers) await complete();
		for (const { hasOneHook } of triggers) await hasOneHook();
		await caughtUp();
	});
});
