import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../e2e/eventually.mts';
import { openLedger } from '../e2e/ledger.mts';
import { seeded } from '../e2e/seeded.mts';
import { openStage } from '../e2e/stage.mts';
import type { Stage } from '../e2e/stage.mts';
import { openCluster } from './cluster.mts';
import type { Cluster } from './cluster.mts';
import { testManualRuns } from './manual-runs.mts';
import { deliver, idsOf, PATIENCE_MS, RECOVERY_MS, setScene } from './scene.mts';
import type { Scene } from './scene.mts';

const SEED = Number(process.env.WORKERS_SEED ?? 7);
const MINUTE_MS = 60_000;

describe('queue mode with two workers', () => {
	let cluster: Cluster;
	let stage: Stage;
	let scene: Scene;
	before(async () => {
		cluster = await openCluster({ mainReceives: true, manualRunsOnWorkers: true });
		stage = await openStage({}, cluster.start);
		scene = setScene(cluster, stage);
	});
	after(async () => {
		await stage?.close();
		await cluster?.close();
	});

	/** Sends to one process what the service sends through the reverse proxy. */
	function deliverTo(role: 'main' | 'webhook1' | 'webhook2') {
		return async (targetUrl: string, body: unknown) =>
			await deliver(targetUrl.replace(new URL(targetUrl).origin, cluster.urlOf(role)), body);
	}

	const requestsFor = async (method: string, path: string) =>
		(await stage.service.requests()).filter(
			(request) => request.method === method && request.path === path,
		);

	describe('while all processes run', { concurrency: true }, () => {
		testManualRuns(() => ({ cluster, stage, scene }), 'worker');

		test('a lost hook is caught up with and replaced, with the same target URL', async () => {
			const { form, workflow } = await scene.publishedTrigger();
			const ledger = openLedger(stage, { formId: form.id, workflowId: workflow.id });
			// The first look catches up with anything.
			await sleep(RECOVERY_MS);
			await ledger.submit(3);
			await ledger.allRan(PATIENCE_MS);
			const [lost] = await scene.hooksOf(form.id);
			await stage.service.loseHook(lost!.id);
			await ledger.submit(15);
			await ledger.allRan(3 * MINUTE_MS);
			const [replaced, ...others] = await eventually(async () => {
				const hooks = await scene.hooksOf(form.id);
				assert.equal(hooks.length, 1);
				return hooks;
			}, PATIENCE_MS);
			assert.deepEqual(others, []);
			assert.equal(replaced!.targetUrl, lost!.targetUrl);
			// Both webhook processes take what the new hook brings.
			const later = await ledger.submit(6);
			await ledger.allRan(PATIENCE_MS);
			const delivered = (await stage.service.deliveries()).filter(
				({ hookId, status }) => hookId === replaced!.id && status === 200,
			);
			assert.deepEqual(delivered.map(({ responseId }) => responseId).sort(), idsOf(later));
			assert.deepEqual(await ledger.balance(), { lost: [], twice: [] });
			await stage.n8n.unpublish(workflow.id);
			await eventually(async () => assert.deepEqual(await scene.hooksOf(form.id), []));
		});

		test('a busy form whose hook works is not subscribed anew', async () => {
			const { form, workflow } = await scene.publishedTrigger();
			const ledger = openLedger(stage, { formId: form.id, workflowId: workflow.id });
			const hooks = await scene.hooksOf(form.id);
			const until = Date.now() + 2.5 * MINUTE_MS;
			while (Date.now() < until) {
				await ledger.submit(1);
				await sleep(1_500);
			}
			await ledger.allRan(PATIENCE_MS);
			assert.deepEqual(await scene.hooksOf(form.id), hooks);
			const deletions = await requestsFor('DELETE', `/hooks/${hooks[0]!.id}`);
			assert.deepEqual(deletions, []);
			assert.deepEqual(await ledger.balance(), { lost: [], twice: [] });
		});

		test('made-up keys cost at most 30 requests for each webhook process and minute, and run nothing old', async () => {
			const form = await stage.service.addForm('Old');
			const [old] = await stage.service.addResponses(form.id);
			await sleep(2_000);
			const workflow = await stage.addTriggerWorkflow(form.id);
			assert.deepEqual(await stage.n8n.publish(workflow.id), { ok: true, message: '' });
			await sleep(RECOVERY_MS);
			const [hook] = await scene.hooksOf(form.id);
			const [generation] = new URL(hook!.targetUrl).searchParams.get('key')!.split('.');
			const forged = (n: number) => {
				const url = new URL(hook!.targetUrl);
				url.searchParams.set('key', `${Number(generation) + n}.${'A'.repeat(43)}`);
				return url.href;
			};
			const startedAt = Date.now();
			for (const role of ['webhook1', 'webhook2'] as const) {
				const statuses: number[] = [];
				for (let n = 1; n <= 60; n++) {
					statuses.push(await deliverTo(role)(forged(n * 1_000), old));
				}
				assert.ok(
					statuses.every((status) => status >= 400 && status < 500),
					String(statuses),
				);
			}
			// Or there might be 30 more for each.
			assert.ok(Date.now() - startedAt < MINUTE_MS);
			const lookUps = await requestsFor('GET', `/responses/${old!.data.responseId}`);
			assert.ok(lookUps.length <= 60, `${lookUps.length} look-ups`);
			await sleep(1_000);
			assert.deepEqual(await scene.runsOf(workflow.id), []);
			const made = await stage.service.addResponses(form.id);
			await scene.hasRun(workflow.id, made);
		});
	});

	test('a worker killed in the middle of a run: its responses run again, once', async () => {
		const { form, workflow } = await scene.publishedTrigger({ runMs: 6_000 });
		await sleep(RECOVERY_MS);
		const ledger = openLedger(stage, { formId: form.id, workflowId: workflow.id });
		const [hook] = await scene.hooksOf(form.id);
		const made = await ledger.submit(12, { deliver: false });
		const statuses = await Promise.all(
			made.map(
				async (body, n) => await deliverTo(n % 2 ? 'main' : 'webhook1')(hook!.targetUrl, body),
			),
		);
		assert.deepEqual(new Set(statuses), new Set([200]));
		const startedByWorker = async () =>
			(await scene.runsOf(workflow.id))
				.map(({ id }) => ({ id, ...cluster.whereRan(id) }))
				.filter(({ startedBy }) => startedBy.includes('worker'));
		await eventually(async () => {
			const receivers = (await startedByWorker()).flatMap(({ enqueuedBy }) => enqueuedBy);
			assert.deepEqual(new Set(receivers), new Set(['main', 'webhook1']));
		});
		await sleep(1_000);
		await cluster.killOne('worker');
		const cutOff = (await startedByWorker())
			.filter(({ ranBy }) => ranBy.length === 0)
			.map(({ id }) => id);
		assert.ok(cutOff.length > 1, 'the worker was killed in the middle of runs');
		await ledger.allRan(4 * MINUTE_MS);
		await cluster.startOne('worker');
		await sleep(RECOVERY_MS);
		await eventually(async () => {
			for (const { id, status } of await scene.runsOf(workflow.id)) {
				assert.ok(cutOff.includes(id) || status === 'success', `${id}: ${status}`);
			}
		}, PATIENCE_MS);
		assert.deepEqual(await ledger.balance(), { lost: [], twice: [] });
		await eventually(async () => assert.equal((await scene.hooksOf(form.id)).length, 1));
	});

	test('two hooks deliver the same at the same time: 0 lost, 0 twice', async () => {
		const { form, workflow } = await scene.publishedTrigger();
		const ledger = openLedger(stage, { formId: form.id, workflowId: workflow.id });
		await sleep(RECOVERY_MS);
		const [first] = await scene.hooksOf(form.id);
		const unavailable = { kind: 'status', status: 503 };
		// The renewal comes later, with a key that only main knows, and the earlier hook stays.
		const toHooks = { path: '/hooks' };
		await stage.service.addFault({
			match: { method: 'POST', ...toHooks },
			...unavailable,
			times: 1,
		});
		await stage.service.addFault({
			match: { method: 'DELETE', ...toHooks },
			...unavailable,
			times: null,
		});
		await cluster.killOne('main');
		await cluster.startOne('main');
		await eventually(async () => {
			assert.equal((await scene.hooksOf(form.id)).length, 2);
		}, PATIENCE_MS);
		await ledger.submit(25);
		await ledger.allRan(PATIENCE_MS);
		await sleep(RECOVERY_MS);
		await stage.service.clearFaults();
		await eventually(async () => {
			const [hook, ...others] = await scene.hooksOf(form.id);
			assert.deepEqual(others, []);
			assert.notEqual(hook!.id, first!.id);
		}, MINUTE_MS);
		await scene.allEnded(workflow.id);
		assert.deepEqual(await ledger.balance(), { lost: [], twice: [] });
		await stage.n8n.unpublish(workflow.id);
	});

	test(`bursts of 25, and main killed and started after each: 0 lost, 0 twice (WORKERS_SEED=${SEED})`, async (context) => {
		const draw = seeded(SEED);
		const { form, workflow } = await scene.publishedTrigger();
		const ledger = openLedger(stage, { formId: form.id, workflowId: workflow.id });
		const answered = async () => {
			const ofForm = (await stage.service.deliveries()).filter(({ formId }) => formId === form.id);
			assert.ok(ofForm.length >= ledger.count);
		};
		const waits: Record<string, () => Promise<unknown>> = {
			nothing: async () => {},
			'the answers': async () => await eventually(answered, PATIENCE_MS),
			'the runs': async () => await ledger.allRan(PATIENCE_MS),
		};
		const looks = async () => (await requestsFor('GET', `/forms/${form.id}/responses`)).length;
		for (let round = 1; round <= 10; round++) {
			await ledger.submit(25);
			const awaited = draw.oneOf(Object.keys(waits));
			const longer = Math.floor(draw.below(1_500));
			await waits[awaited]!();
			await sleep(longer);
			await cluster.killOne('main');
			const looksBefore = await looks();
			await cluster.startOne('main');
			// Another 25 would hide these from it.
			await eventually(async () => assert.ok((await looks()) > looksBefore), PATIENCE_MS);
			await ledger.allRan(PATIENCE_MS);
			context.diagnostic(`round ${round}: waited for ${awaited} and ${longer} ms`);
			await sleep(draw.below(RECOVERY_MS));
		}
		// Long enough for a last look, which lets the marks settle before it runs anything.
		await sleep(3 * RECOVERY_MS);
		await scene.allEnded(workflow.id);
		// A hook that a killed main left behind removes itself at its next delivery.
		await ledger.submit(1);
		await ledger.allRan(PATIENCE_MS);
		assert.deepEqual(await ledger.balance(), { lost: [], twice: [] });
		await eventually(async () => assert.equal((await scene.hooksOf(form.id)).length, 1));
	});
});
