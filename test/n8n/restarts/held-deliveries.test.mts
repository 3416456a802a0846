import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '../../../playground/service/settings.mts';
import { describeEngines } from '../kit/describe-engines.mts';
import { eventually } from '../kit/eventually.mts';
import { publishTrigger } from '../kit/published-trigger.mts';
import { publishWebhook } from '../kit/published-webhook.mts';
import { describeRestarts } from '../kit/shared-restarts.mts';
import type { Rig } from '../kit/real-n8n.mts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const timing = { longestPaceMs: MINUTE };

/** The trigger and a plain Webhook node, each with a hook of the same form. */
async function openBoth(rig: Rig, settings: Partial<Settings>) {
	const connection = await rig.openService();
	const { service } = connection;
	const trigger = await publishTrigger(rig, { connection });
	const webhook = await publishWebhook(rig, service, trigger.form);
	await service.settings({ deliveryTimeoutMs: MINUTE, ...settings });

	const hooks = async () => (await trigger.hooks()).filter(({ id }) => id !== webhook.hook.id);
	const idsOf = (responses: Array<{ responseId?: unknown }>) =>
		new Set(responses.map(({ responseId }) => responseId));

	async function shown() {
		const [ran, got] = [await trigger.ran(), await webhook.ran()];
		const [ranIds, gotIds] = [idsOf(ran), idsOf(got)];
		return {
			ran: ranIds.size,
			again: ran.length - ranIds.size,
			got: gotIds.size,
			hooks: (await hooks()).length,
		};
	}

	return {
		service,
		trigger,
		hooks,
		complete: trigger.complete,

		/** Each response ran once, the Webhook node got all as well, and one hook is left. */
		async ranAll(context: TestContext, withinMs: number) {
			const all = trigger.made.length;
			const expected = { ran: all, again: 0, got: all, hooks: 1 };
			try {
				await eventually(async () => assert.deepEqual(await shown(), expected), withinMs, SECOND);
			} finally {
				const { ran, again, got, hooks } = await shown();
				context.diagnostic(
					`trigger: ${ran} of ${all}, ${again} again, ${hooks} hooks; Webhook node: ${got}`,
				);
			}
		},
	};
}

describeEngines('what the service holds, beside a plain Webhook node', { timing }, (rig) => {
	describeRestarts('side by side', rig, { crash: true }, (it) => {
		for (const removalDropsDeliveries of [true, false]) {
			const goes = removalDropsDeliveries ? 'goes with' : 'outlives';
			it(`42, 40 of them while n8n was killed; what waits ${goes} its hook`, async (restart, context) => {
				const deliveryRetriesSeconds = [2, 4, 8, ...Array<number>(20).fill(15)];
				const both = await openBoth(rig, { removalDropsDeliveries, deliveryRetriesSeconds });
				await both.complete();
				await both.ranAll(context, MINUTE);
				await both.trigger.endsAreRecorded();
				const earlier = await both.hooks();
				await restart(async () => {
					await both.complete(40);
					await both.service.forgetRequests();
				});
				await both.complete();
				await both.ranAll(context, 5 * MINUTE);
				await both.trigger.hasLooked();
				await both.ranAll(context, 0);
				assert.deepEqual(await both.hooks(), earlier);
				const requests = await both.service.requests();
				const toHooks = requests.filter(({ path }) => path.startsWith('/hooks'));
				assert.deepEqual(toHooks, []);
			});
		}

		it('52 delivered 70 seconds late, 12 in a minute and 40 at once', async (restart, context) => {
			await restart();
			const both = await openBoth(rig, { deliveryDelayMs: 70 * SECOND });
			for (let count = 0; count < 12; count++) {
				await both.complete();
				await sleep(5 * SECOND);
			}
			await both.complete(40);
			await both.ranAll(context, 4 * MINUTE);
		});

		for (const publications of [1, 5]) {
			it(`40 wait for delivery, and options are published ${publications} times`, async (restart, context) => {
				await restart();
				const both = await openBoth(rig, { deliveryDelayMs: 20 * SECOND });
				const { workflow, publish, hasLooked } = both.trigger;
				await both.complete(40);
				for (let count = 0; count < publications; count++) {
					const answerKeys = count % 2 === 0 ? 'fieldId' : 'label';
					await rig.changeOptions(workflow.id, { answerKeys });
					await publish();
				}
				await both.ranAll(context, 4 * MINUTE);
				await hasLooked();
				await both.ranAll(context, 0);
			});
		}
	});
});
