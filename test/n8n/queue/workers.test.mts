import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../kit/eventually.mts';
import { deliver, forgedKeys } from '../kit/hook.mts';
import { publishCompared } from '../kit/lost-or-twice.mts';
import { slowNode, type TriggerOptions } from '../kit/published-trigger.mts';
import { PATIENCE_MS, useQueueMode } from '../kit/queue-mode.mts';
import { codeNode } from '../kit/workflow-nodes.mts';
import { testRunsByHand } from '../kit/runs-by-hand.mts';

const MINUTE = 60_000;
/** As long as the trigger takes after a start to look for what was missed, and to run it. */
const RECOVERY_MS = 20_000;

describe('queue mode with two workers', () => {
	const rig = useQueueMode({ mainReceives: true, manualRunsOnWorkers: true });

	/** Sends to one process what the service sends through the reverse proxy. */
	function deliverTo(role: 'main' | 'webhook1' | 'webhook2') {
		return async (targetUrl: string, body: unknown) =>
			(await deliver(targetUrl.replace(new URL(targetUrl).origin, rig.cluster.urlOf(role)), body))
				.status;
	}

	const published = async (options?: TriggerOptions) => await publishCompared(rig, options);

	describe('while all processes run', { concurrency: true }, () => {
		testRunsByHand(rig, 'worker');

		test('a busy form whose hook works keeps that hook', async () => {
			const trigger = await published();
			const hook = await trigger.onlyHook();
			const until = Date.now() + 2.5 * MINUTE;
			while (Date.now() < until) {
				await trigger.complete(1);
				await sleep(1_500);
			}
			await trigger.noneIsLost(PATIENCE_MS);
			assert.deepEqual(await trigger.hooks(), [hook]);
			const deletions = await rig.service.requestsFor('DELETE', `/hooks/${hook.id}`);
			assert.deepEqual(deletions, []);
			await trigger.noneIsLostOrTwice();
			await trigger.unpublish();
		});

		test('made-up deliveries of what is too old cost nothing, start nothing, and say nothing', async () => {
			const form = await rig.service.addForm('Old');
			const [old] = await rig.service.addResponses(form.id);
			const trigger = await published({ form });
			const { targetUrl } = await trigger.onlyHook();
			const path = `/responses/${old!.data.responseId}`;
			for (const role of ['main', 'webhook1', 'webhook2'] as const) {
				for (const url of [targetUrl.split('?')[0]!, ...forgedKeys(targetUrl, 60)]) {
					assert.equal(await deliverTo(role)(url, old), 200);
				}
			}
			assert.deepEqual(await rig.service.requestsFor('GET', path), []);
			assert.deepEqual(await trigger.executions(), []);
			assert.equal(await deliverTo('webhook1')(targetUrl, old), 200);
			await trigger.ranOnceEach([old!], PATIENCE_MS);
			await trigger.unpublish();
		});

		test('static data wiped by a run: 70 at once, with 150 ms of latency, run once, and nothing made up does', async (context) => {
			const wipe = '$getWorkflowStaticData("global").wipedAt = Date.now(); return $input.all();';
			const trigger = await published({ others: [codeNode('Wipe', wipe)] });
			const { targetUrl } = await trigger.onlyHook();
			await trigger.complete(1);
			await trigger.noneIsLost(PATIENCE_MS);
			await eventually(async () => {
				const { staticData } = await rig.n8n.workflow(trigger.workflow.id);
				assert.doesNotMatch(JSON.stringify(staticData), /keyHash/);
			}, PATIENCE_MS);
			await rig.service.settings({ latencyMs: 150, deliveryRetriesSeconds: [2, 4, 8] });
			const [made] = await trigger.complete(70);
			await trigger.noneIsLost(PATIENCE_MS);
			const madeUp = { ...made, data: { ...made!.data, responseId: randomUUID() } };
			assert.equal(
				await deliverTo('webhook1')(targetUrl.replace(/.{9}$/, 'a-made-up'), madeUp),
				503,
			);
			await trigger.allEnded(PATIENCE_MS);
			// Where n8n answers too late, the service sends again, and both may run at the same instant (docs/reliability.md).
			const sentAgain = new Set(
				(await rig.service.deliveries())
					.filter(({ formId }) => formId === trigger.form.id)
					.filter(({ error }) => error?.startsWith('no answer'))
					.map(({ responseId }) => responseId),
			);
			const { lost, twice } = await trigger.lostOrTwice();
			context.diagnostic(`${sentAgain.size} sent again as n8n was late, ${twice.length} ran twice`);
			assert.deepEqual([lost, twice.filter(([id]) => !sentAgain.has(id))], [[], []]);
			assert.ok(twice.length <= sentAgain.size / 4, `${twice.length} ran twice`);
			const ran = (await trigger.ran()).map(({ responseId }) => responseId);
			assert.ok(!ran.includes(madeUp.data.responseId), 'what was made up ran');
			await rig.service.settings({ latencyMs: 0, deliveryRetriesSeconds: [] });
			await trigger.unpublish();
		});

		test('of two hooks after a lost answer one ends, though each process gets the responses of one only', async () => {
			const match = { method: 'POST', path: '/hooks' };
			const connection = await rig.openService();
			await connection.service.addFault({ match, kind: 'lostReply', times: 1 });
			const trigger = await published({ connection });
			const startedAt = Date.now();
			assert.equal((await trigger.hooks()).length, 2);
			// The processes get deliveries in turn, and a response is delivered by one hook after the other.
			await trigger.complete(25);
			await trigger.noneIsLost(PATIENCE_MS);
			await trigger.hasOneHook();
			await trigger.hasLooked(undefined, startedAt);
			await trigger.allEnded(PATIENCE_MS);
			await trigger.noneIsLostOrTwice();
			await trigger.unpublish();
		});
	});

	test('a worker killed in the middle of a run: its responses run again, once', async () => {
		const trigger = await published({ others: [slowNode(6_000)] });
		const { targetUrl } = await trigger.onlyHook();
		const made = await trigger.complete(12, { deliver: false });
		const statuses: number[] = [];
		// Two each in turn: one worker might get every other one.
		for (const [n, body] of made.entries()) {
			statuses.push(await deliverTo(n % 4 < 2 ? 'main' : 'webhook1')(targetUrl, body));
		}
		assert.deepEqual(new Set(statuses), new Set([200]));
		const startedByWorker = async () =>
			(await trigger.executions())
				.map(({ id }) => ({ id, ...rig.cluster.whereRan(id) }))
				.filter(({ startedBy }) => startedBy.includes('worker'));
		await eventually(async () => {
			const receivers = (await startedByWorker()).flatMap(({ enqueuedBy }) => enqueuedBy);
			assert.deepEqual(new Set(receivers), new Set(['main', 'webhook1']));
		});
		await sleep(1_000);
		await rig.cluster.killOne('worker');
		const cutOff = (await startedByWorker())
			.filter(({ ranBy }) => ranBy.length === 0)
			.map(({ id }) => id);
		assert.ok(cutOff.length > 1, 'the worker was killed in the middle of runs');
		await trigger.noneIsLost(4 * MINUTE);
		await rig.cluster.startOne('worker');
		await sleep(RECOVERY_MS);
		await eventually(async () => {
			for (const { id, status } of await trigger.executions()) {
				assert.ok(cutOff.includes(id) || status === 'success', `${id}: ${status}`);
			}
		}, PATIENCE_MS);
		await trigger.noneIsLostOrTwice();
		await trigger.hasOneHook();
		await trigger.unpublish();
	});
});
