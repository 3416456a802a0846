import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from './eventually.mts';
import { openStage } from './stage.mts';
import type { Stage } from './stage.mts';

const SEED = Number(process.env.SOAK_SEED ?? 20_261_120);
const RESPONSES = Number(process.env.SOAK_RESPONSES ?? 1_000);
/** The API shows the newest 25, so no more than these may be missed before the next recovery. */
const LARGEST_BURST = 20;
/** The trigger looks for missed responses a few seconds after it was subscribed. */
const SETTLED_MS = 5_000;

/** Mulberry32: the same numbers from 0 to 1 for the same seed. */
function seeded(seed: number) {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

for (const engine of ['publication', 'activeWorkflowManager'] as const) {
	describe(`${RESPONSES} responses through kills, restarts, re-publishes and faults; engine ${engine}`, () => {
		let stage: Stage;
		before(async () => void (stage = await openStage({ engine })));
		after(async () => await stage?.close());

		test(`0 lost, 0 twice (SOAK_SEED=${SEED})`, async (context) => {
			const random = seeded(SEED);
			const upTo = (most: number) => 1 + Math.floor(random() * most);
			const form = await stage.service.addForm('Contact');
			const workflow = await stage.addTriggerWorkflow(form.id);
			await stage.n8n.publish(workflow.id);
			// So that a machine under load loses no delivery which nothing tells the trigger of.
			await stage.service.settings({ deliveryTimeoutMs: 60_000 });
			let submitted = 0;

			async function submit(most = LARGEST_BURST) {
				const count = Math.min(upTo(most), RESPONSES - submitted);
				if (count === 0) return;
				await stage.service.addResponses(form.id, { count });
				submitted += count;
			}
			const ran = async () =>
				(await stage.outputOf(workflow.id)).map(({ responseId }) => String(responseId));
			const allRan = async () =>
				await eventually(async () => {
					const ids = new Set(await ran());
					if (ids.size === submitted) return;
					const deliveries = await stage.service.deliveries();
					const lost = deliveries.filter(({ responseId }) => !ids.has(responseId));
					const answers = lost.map(({ status, error }) => status ?? error).join(', ');
					assert.fail(`${submitted - ids.size} lost; their deliveries: ${answers}`);
				}, 60_000);
			const rePublish = async () => {
				await stage.n8n.unpublish(workflow.id);
				await submit(10);
				await stage.n8n.publish(workflow.id);
			};
			const faulty = { times: upTo(2) };

			const disruptions: Record<string, () => Promise<void>> = {
				kill: async () => {
					await allRan();
					await stage.restart({ crash: true, whileDown: async () => await submit() });
				},
				'restart while responses arrive': async () => {
					await submit(8);
					await stage.restart({ whileDown: async () => await submit(8) });
				},
				'kill while subscribing': async () => {
					await allRan();
					await stage.n8n.unpublish(workflow.id);
					void stage.n8n.publish(workflow.id).catch(() => {});
					await sleep(random() * 400);
					await stage.restart({ crash: true, whileDown: async () => await submit(10) });
					await stage.n8n.publish(workflow.id);
				},
				're-publish': rePublish,
				're-publish while the service resets connections': async () => {
					await stage.service.addFault({ match: { path: '/hooks' }, kind: 'reset', ...faulty });
					await rePublish();
				},
				're-publish while the service fails': async () => {
					const kind = { kind: 'status', status: 503 };
					await stage.service.addFault({ match: { path: '/hooks' }, ...kind, ...faulty });
					await stage.service.addFault({ match: { path: '/responses' }, ...kind, ...faulty });
					await rePublish();
				},
				're-publish with a lost reply': async () => {
					const match = { method: 'POST', path: '/hooks' };
					await stage.service.addFault({ match, kind: 'lostReply' });
					await rePublish();
					// The older engine gives up after the first failure.
					const { active } = await stage.n8n.workflow(workflow.id);
					if (!active) await stage.n8n.publish(workflow.id);
				},
				'the service loses the hook, and n8n restarts': async () => {
					await allRan();
					for (const { id } of await stage.service.hooks()) await stage.service.loseHook(id);
					await submit();
					await stage.restart();
				},
			};

			const names = Object.keys(disruptions);
			for (let round = 0; submitted < RESPONSES; round++) {
				const name = names[round < names.length ? round : Math.floor(random() * names.length)]!;
				await disruptions[name]!();
				await stage.service.clearFaults();
				await sleep(SETTLED_MS);
				await allRan();
				for (let burst = 0; burst < 5; burst++) {
					await submit();
					await sleep(random() * 300);
				}
				await allRan();
				context.diagnostic(`${submitted} of ${RESPONSES} submitted, after: ${name}`);
			}

			await allRan();
			await sleep(SETTLED_MS);
			const ids = await ran();
			assert.equal(new Set(ids).size, RESPONSES, 'lost');
			assert.equal(ids.length, RESPONSES, 'twice');
			assert.equal((await stage.service.hooks()).length, 1);
		});
	});
}
