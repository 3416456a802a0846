import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { eventually } from '../e2e/eventually.mts';
import type { Envelope } from '../e2e/service.mts';
import { ACTION, openStage, PACKAGE, TRIGGER } from '../e2e/stage.mts';
import type { Stage } from '../e2e/stage.mts';
import { openCluster } from './cluster.mts';
import type { Cluster } from './cluster.mts';
import { testManualRuns } from './manual-runs.mts';
import { deliver, idsOf, PATIENCE_MS, RECOVERY_MS, setScene } from './scene.mts';
import type { Scene } from './scene.mts';

describe('queue mode', () => {
	let cluster: Cluster;
	let stage: Stage;
	let scene: Scene;
	before(async () => {
		cluster = await openCluster();
		stage = await openStage({}, cluster.start);
		scene = setScene(cluster, stage);
	});
	after(async () => {
		await stage?.close();
		await cluster?.close();
	});

	describe('while all processes run', { concurrency: true }, () => {
		test('an API key is polled for in main, and its responses run on a worker', async () => {
			const form = await stage.service.addForm('Polled');
			await stage.service.addResponses(form.id, { count: 2 });
			const workflow = await stage.addTriggerWorkflow(form.id, {
				authentication: 'apiKey',
				pollInterval: 1,
			});
			assert.deepEqual(await stage.n8n.publish(workflow.id), { ok: true, message: '' });
			// What the look shortly after the activation could bring must not be taken for a poll.
			await sleep(RECOVERY_MS);
			assert.deepEqual(await scene.runsOf(workflow.id), []);
			const made = await stage.service.addResponses(form.id, { count: 2 });
			await scene.hasRun(workflow.id, made, 60_000 + PATIENCE_MS);
			await scene.assertRanOnWorker(workflow.id, /^main$/);
			assert.deepEqual(await scene.hooksOf(form.id), []);
		});

		test('publish makes one hook, a response runs on a worker, unpublish removes the hook', async () => {
			const { form, workflow } = await scene.publishedTrigger();
			assert.equal((await scene.hooksOf(form.id)).length, 1);
			// Later than recovery, so that only the delivery can start a run.
			await sleep(RECOVERY_MS);
			await stage.service.addResponses(form.id, { answers: { Name: 'Ada', Stars: '5' } });
			const execution = await stage.n8n.waitForExecution(workflow.id, { timeoutMs: PATIENCE_MS });
			const items = stage.n8n.nodeOutput(execution, TRIGGER);
			assert.deepEqual(
				items.map(({ json }) => json.answers),
				[{ Name: 'Ada', Stars: '5' }],
			);
			await scene.assertRanOnWorker(workflow.id, /^webhook[12]$/);
			await stage.n8n.unpublish(workflow.id);
			await eventually(async () => assert.deepEqual(await scene.hooksOf(form.id), []));
		});

		test('a response delivered three times, to both webhook processes, gives one item', async () => {
			const { form, workflow } = await scene.publishedTrigger();
			const made = await stage.service.addResponses(form.id, { deliver: false });
			const responseId = made[0]!.data.responseId;
			const deliveries = await stage.service.deliverAgain(responseId, { times: 3 });
			assert.deepEqual(
				deliveries.map(({ status }) => status),
				[200, 200, 200],
			);
			await scene.hasRun(workflow.id, made);
			await sleep(RECOVERY_MS);
			assert.deepEqual(await scene.ranIds(workflow.id), [responseId]);
			await scene.assertRanOnWorker(workflow.id, /^(webhook[12]|main)$/);
		});

		test('a response that is still running when recovery looks is not run again', async () => {
			const { form, workflow } = await scene.publishedTrigger({ runMs: RECOVERY_MS });
			const made = await stage.service.addResponses(form.id, { count: 2 });
			await scene.hasRun(workflow.id, made);
			await sleep(RECOVERY_MS);
			await scene.allEnded(workflow.id);
			assert.deepEqual(await scene.ranIds(workflow.id), idsOf(made));
		});

		test('intruders are refused by the webhook processes without a run', async () => {
			const { form, workflow } = await scene.publishedTrigger();
			// Later than recovery, which would run the response by itself.
			await sleep(RECOVERY_MS);
			const other = await stage.service.addForm('Other');
			const [made] = await stage.service.addResponses(form.id, { deliver: false });
			const [foreign] = await stage.service.addResponses(other.id);
			const [hook] = await scene.hooksOf(form.id);
			const target = new URL(hook!.targetUrl);
			const withKey = (key: string) =>
				Object.assign(new URL(target), { search: `?key=${key}` }).href;
			const key = target.searchParams.get('key')!;
			const secret = 'A'.repeat(43);
			const cases: Array<[string, string, unknown, number]> = [
				['no key', target.href.split('?')[0]!, made, 403],
				['a malformed key', withKey('x'), made, 403],
				['a wrong secret', withKey(`${key.split('.')[0]}.${secret}`), made, 403],
				['another form', target.href, foreign, 403],
				['not JSON', target.href, '"response"', 400],
				['not a response', target.href, { event: 'response.completed' }, 400],
				['an older generation', withKey(`1000000000000.${secret}`), made, 410],
			];
			for (const [name, url, body, status] of cases) {
				// Once for each webhook process.
				for (let time = 1; time <= 2; time++) assert.equal(await deliver(url, body), status, name);
			}
			await sleep(1_000);
			assert.deepEqual(await scene.runsOf(workflow.id), []);
			assert.equal((await scene.hooksOf(form.id)).length, 1);
		});

		test('a replaced hook is answered 410; what only it delivers runs, and what the live one delivers runs once', async () => {
			const { form, workflow } = await scene.publishedTrigger();
			const [old] = await scene.hooksOf(form.id);
			await stage.n8n.unpublish(workflow.id);
			await stage.n8n.publish(workflow.id);
			// Later than recovery, which would bring the responses otherwise.
			await sleep(RECOVERY_MS);
			const [live] = await scene.hooksOf(form.id);
			const made = [
				...(await stage.service.addResponses(form.id, {
					deliver: false,
					completedAt: live!.createdAt,
				})),
				...(await stage.service.addResponses(form.id, { deliver: false })),
			];
			for (const body of made) assert.equal(await deliver(old!.targetUrl, body), 410);
			assert.equal(await deliver(live!.targetUrl, made[1]), 200);
			await scene.hasRun(workflow.id, made);
			await sleep(RECOVERY_MS);
			assert.deepEqual(await scene.ranIds(workflow.id), idsOf(made));
		});

		test('Get New in production returns each response once', async () => {
			const form = await stage.service.addForm('Contact');
			await stage.service.addResponses(form.id, { count: 3 });
			const hook = stage.node(
				'Hook',
				'n8n-nodes-base.webhook',
				{ path: 'get-new', httpMethod: 'GET', options: {} },
				{ typeVersion: 2, webhookId: crypto.randomUUID() },
			);
			const getNew = stage.node(
				ACTION,
				`${PACKAGE}.formResponses`,
				{
					operation: 'getNew',
					formId: { __rl: true, mode: 'id', value: form.id },
					authentication: 'apiKey',
				},
				{ credentials: stage.credentials },
			);
			const workflow = await stage.n8n.createWorkflow({
				name: 'Get New',
				nodes: [hook, getNew],
				connections: { Hook: { main: [[{ node: ACTION, type: 'main', index: 0 }]] } },
			});
			assert.deepEqual(await stage.n8n.publish(workflow.id), { ok: true, message: '' });
			const counts: number[] = [];
			for (const more of [0, 2, 0]) {
				if (more) await stage.service.addResponses(form.id, { count: more });
				const last = await stage.n8n.lastExecutionId(workflow.id);
				const call = await fetch(`${stage.instance.url}/webhook/get-new`);
				assert.equal(call.status, 200);
				const execution = await stage.n8n.waitForExecution(workflow.id, {
					after: last,
					timeoutMs: PATIENCE_MS,
				});
				counts.push(stage.n8n.nodeOutput(execution, ACTION).length);
			}
			assert.deepEqual(counts, [3, 2, 0]);
			await scene.assertRanOnWorker(workflow.id, /^webhook[12]$/);
		});

		testManualRuns(() => ({ cluster, stage, scene }), 'main');
	});

	test('a delivery before the subscription is stored runs', async () => {
		const forms = await stage.service.addForms({ title: 'Early', count: 2 });
		const [one, other] = forms.map(({ id }) => id);
		const { id, nodes } = await stage.addTriggerWorkflow(one!);
		const second = {
			...nodes[0]!,
			id: crypto.randomUUID(),
			name: 'Second trigger',
			webhookId: crypto.randomUUID(),
			parameters: { formId: { __rl: true, mode: 'id', value: other } },
		};
		await stage.n8n.updateWorkflow(id, { nodes: [...nodes, second] });
		// n8n stores the subscriptions of a workflow when it has registered all of its triggers.
		await stage.service.addFault({
			match: { method: 'POST', path: '/hooks' },
			kind: 'delay',
			ms: 5_000,
			skip: 1,
		});
		let isPublished = false;
		const publishing = stage.n8n.publish(id).finally(() => (isPublished = true));
		const [early] = await eventually(async () => {
			const hooks = (await stage.service.hooks()).filter(({ formId }) =>
				forms.some((form) => form.id === formId),
			);
			assert.equal(hooks.length, 1);
			return hooks;
		});
		const [made] = await stage.service.addResponses(early!.formId, { deliver: false });
		const status = await deliver(early!.targetUrl, made);
		const wasPublished = isPublished;
		assert.deepEqual(await publishing, { ok: true, message: '' });
		assert.deepEqual({ status, wasPublished }, { status: 200, wasPublished: false });
		// A look may have found it as well, and its run have put out nothing.
		const ran = async () =>
			[...(await stage.outputOf(id)), ...(await stage.outputOf(id, second.name))].map(
				({ responseId }) => responseId,
			);
		await eventually(async () => assert.notDeepEqual(await ran(), []), PATIENCE_MS);
		await scene.allEnded(id);
		assert.deepEqual(await ran(), [made!.data.responseId]);
	});

	test('5 responses completed while every process was killed run once each', async () => {
		const { form, workflow } = await scene.publishedTrigger();
		const earlier = await stage.service.addResponses(form.id, { count: 2 });
		await scene.hasRun(workflow.id, earlier);
		let missed: Envelope[] = [];
		await stage.restart({
			crash: true,
			whileDown: async () => {
				missed = await stage.service.addResponses(form.id, { count: 5 });
			},
		});
		await scene.hasRun(workflow.id, [...earlier, ...missed]);
		await eventually(async () => assert.equal((await scene.hooksOf(form.id)).length, 1));
		const later = await stage.service.addResponses(form.id);
		await scene.hasRun(workflow.id, [...earlier, ...missed, ...later]);
		await sleep(RECOVERY_MS);
		assert.deepEqual(await scene.ranIds(workflow.id), idsOf([...earlier, ...missed, ...later]));
		await scene.assertRanOnWorker(workflow.id, /^(main|webhook[12])$/);
	});

	test('runs that write static data wipe what the trigger stored, and it goes on', async () => {
		const code = '$getWorkflowStaticData("global").count = 1;';
		const { form, workflow } = await scene.publishedTrigger({ code });
		const made = await stage.service.addResponses(form.id);
		await scene.hasRun(workflow.id, made);
		await eventually(async () => {
			const { staticData } = await stage.n8n.workflow(workflow.id);
			assert.deepEqual(staticData, { global: { count: 1 } });
		});
		const [hook] = await scene.hooksOf(form.id);
		const burst = await stage.service.addResponses(form.id, { count: 40, deliver: false });
		for (const body of burst) assert.equal(await deliver(hook!.targetUrl, body), 200);
		made.push(...burst);
		await scene.hasRun(workflow.id, made);
		await stage.restart({
			crash: true,
			whileDown: async () =>
				void made.push(...(await stage.service.addResponses(form.id, { count: 3 }))),
		});
		await scene.hasRun(workflow.id, made);
		await sleep(RECOVERY_MS);
		assert.deepEqual(await scene.ranIds(workflow.id), idsOf(made));
	});

	test('main killed and started again: nothing lost, nothing twice', async () => {
		const { form, workflow } = await scene.publishedTrigger({ runMs: 6_000 });
		const [first] = await scene.hooksOf(form.id);
		await cluster.killOne('main');
		const withoutMain = await stage.service.addResponses(form.id, { count: 3 });
		let isStarting = true;
		const started = cluster.startOne('main').finally(() => (isStarting = false));
		const meanwhile: Envelope[] = [];
		while (isStarting) {
			meanwhile.push(...(await stage.service.addResponses(form.id)));
			await sleep(2_000);
		}
		await started;
		await eventually(async () => {
			const [hook, ...others] = await scene.hooksOf(form.id);
			assert.deepEqual(others, []);
			assert.notEqual(hook!.id, first!.id);
		}, PATIENCE_MS);
		const afterwards = await stage.service.addResponses(form.id);
		const all = [...withoutMain, ...meanwhile, ...afterwards];
		await scene.hasRun(workflow.id, all);
		await sleep(RECOVERY_MS);
		await scene.allEnded(workflow.id);
		assert.deepEqual(await scene.ranIds(workflow.id), idsOf(all));
		await stage.n8n.unpublish(workflow.id);
		await eventually(async () => assert.deepEqual(await scene.hooksOf(form.id), []));
	});
});
