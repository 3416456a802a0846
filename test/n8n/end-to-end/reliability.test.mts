import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { isOlderThan } from '../../../playground/n8n/version.mts';
import { describeEngines } from '../kit/describe-engines.mts';
import { eventually } from '../kit/eventually.mts';
import { deliver } from '../kit/hook.mts';
import {
	publishTrigger,
	slowNode,
	type TriggerOptions,
	workingTrigger,
} from '../kit/published-trigger.mts';
import { describeRestarts } from '../kit/shared-restarts.mts';
import { codeNode, node } from '../kit/workflow-nodes.mts';

const MINUTE = 60_000;
/** A run that lasted longer when n8n was killed is n8n's to retry. */
const LONG_RUN_MS = 11_000;
/** So that n8n is killed in it, though another scenario has to be ready for that as well. */
const SHORT_RUN_MS = 8_000;
/** Two hooks count as made together if they were within two minutes, and a test may wait longer for a look. */
const timing = { twinMs: 10 * MINUTE };

describeEngines('each response runs, repeats and forgeries do not', { timing }, (rig) => {
	before(async () => await rig.service.settings({ maxHooks: 50 }));

	const published = async (options?: TriggerOptions) => await publishTrigger(rig, options);

	// More at once would be slower on two cores.
	describe('side by side', { concurrency: 4 }, () => {
		test('responses from before the first activation do not run', async () => {
			const form = await rig.service.addForm('Contact');
			await rig.service.addResponses(form.id, { count: 5 });
			const trigger = await published({ form });
			await trigger.hasLooked();
			assert.deepEqual(await trigger.executions(), []);
		});

		test('a response delivered three times gives one item', async () => {
			const trigger = await published();
			const [made] = await trigger.complete();
			await rig.service.deliverAgain(made!.data.responseId, { times: 2 });
			await trigger.ranAll();
			await trigger.ranNothingElse();
			assert.equal((await trigger.executions()).length, 1);
		});

		test('what is completed in the gap of a re-publish runs', async () => {
			const trigger = await published();
			await trigger.unpublishLeavesNoHook();
			await trigger.complete(2);
			await trigger.publish();
			// The trigger waits 15 seconds and more for deliveries of what its first look finds.
			await trigger.ranAll(MINUTE);
		});

		test('intruders are refused without a run, and the hook survives', async () => {
			const trigger = await published();
			const other = await rig.service.addForm('Other');
			const [made] = await trigger.complete(1, { deliver: false });
			const [foreign] = await rig.service.addResponses(other.id);
			const { targetUrl: target } = await trigger.onlyHook();
			const bent = target.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'));
			const nowhere = { ...made!, data: { ...made!.data, responseId: crypto.randomUUID() } };
			const wrongTypes = { ...made!, data: { ...made!.data, responseId: 5, answers: 'none' } };
			/** Without the one of the trigger's own first look, which finds what was not delivered. */
			const deliveredRuns = async () =>
				(await trigger.executions()).filter(({ mode }) => mode === 'webhook');
			const cases: Array<[string, number, string, unknown, Record<string, string>?]> = [
				['no key, made up', 503, target.split('?')[0]!, nowhere],
				['bent key, made up', 503, bent, nowhere],
				['bent key, another form', 410, bent, foreign],
				['another form', 403, target, foreign],
				['HTML', 400, target, '<html></html>', { 'content-type': 'text/html' }],
				// n8n answers by itself.
				['broken JSON', 422, target, '{"event":'],
				['an array', 400, target, [made]],
				['null', 400, target, null],
				['no data', 400, target, { event: 'response.completed' }],
				['wrong types', 400, target, wrongTypes],
				['no content type', 400, target, JSON.stringify([made]), { 'content-type': '' }],
				[
					'a form post',
					400,
					target,
					'a=b',
					{ 'content-type': 'application/x-www-form-urlencoded' },
				],
			];
			for (const [name, status, url, body, headers] of cases) {
				assert.equal((await deliver(url, body, headers)).status, status, name);
			}
			assert.deepEqual(await deliveredRuns(), []);
			await trigger.onlyHook();
			const started = await deliver(target, { ...made, event: 'response.started' });
			assert.equal(started.status, 200);
			await sleep(500);
			assert.deepEqual(await deliveredRuns(), []);
			assert.equal((await deliver(target, made)).status, 200);
			await trigger.ranAll();
		});

		test('what an earlier hook held runs as the service shows it, once; with anything later it ends', async () => {
			const trigger = await published();
			const old = await trigger.onlyHook();
			await trigger.hasLooked();
			const [held] = await trigger.complete(1, { deliver: false });
			await trigger.unpublishLeavesNoHook();
			await trigger.publish();
			const live = await trigger.hasOneHook();
			const changed = { ...held!, data: { ...held!.data, formTitle: 'Made up' } };
			assert.equal((await deliver(old.targetUrl, changed)).status, 200);
			const [later] = await trigger.complete(1, { deliver: false });
			// Both were made within ten minutes, as when the answer to the first creation was lost.
			assert.equal((await deliver(old.targetUrl, later)).status, 410);
			assert.equal((await deliver(live.targetUrl, later)).status, 200);
			await trigger.ranAll();
			assert.doesNotMatch(JSON.stringify(await trigger.ran()), /Made up/);
			await trigger.onlyHook();
		});

		test('a lost 201 ends with one hook and one run', async () => {
			const connection = await rig.openService();
			const match = { method: 'POST', path: '/hooks' };
			await connection.service.addFault({ match, kind: 'lostReply', times: 1 });
			const trigger = await published({ connection });
			assert.equal((await trigger.hooks()).length, 2);
			await trigger.complete();
			await trigger.hasOneHook();
			await trigger.ranAll();
			await trigger.ranNothingElse();
		});

		test('a first DELETE answered 503 or 429 or not at all still removes the hook', async () => {
			const connection = await rig.openService();
			for (const fault of [
				{ kind: 'status', status: 503 },
				{ kind: 'status', status: 429, headers: { 'retry-after': '1' } },
				{ kind: 'reset' },
			] as const) {
				const trigger = await published({ connection });
				await connection.service.addFault({ match: { method: 'DELETE' }, ...fault });
				await trigger.unpublishLeavesNoHook();
			}
		});

		test('a Code node that writes static data does not break receiving or unsubscribing', async () => {
			const writer = codeNode(
				'Code',
				[
					'const all = $getWorkflowStaticData("global");',
					'all.count = (all.count || 0) + 1;',
					'await new Promise((resolve) => setTimeout(resolve, 20_000));',
					'return $input.all();',
				].join('\n'),
			);
			const trigger = await published({ others: [writer] });
			await trigger.complete();
			await sleep(500);
			// A new subscription while the Code node holds the static data of the old one.
			await trigger.unpublish();
			await trigger.publish();
			await trigger.ranAll(MINUTE);
			await trigger.allEnded();
			await eventually(async () => {
				const { staticData } = await rig.n8n.workflow(trigger.workflow.id);
				assert.deepEqual((staticData as { global?: unknown }).global, { count: 1 });
			});
			await trigger.complete();
			await trigger.ranAll(MINUTE);
			await trigger.onlyHook();
			await trigger.unpublishLeavesNoHook();
		});

		test('a renamed trigger continues, with one hook', async () => {
			const trigger = await published();
			const nodes = trigger.workflow.nodes.map((one) => ({ ...one, name: 'New name' }));
			await rig.n8n.updateWorkflow(trigger.workflow.id, { nodes });
			await trigger.publish();
			await trigger.hasOneHook();
			const [made] = await trigger.complete();
			const { status } = await rig.n8n.waitForExecution(trigger.workflow.id);
			assert.equal(status, 'success');
			const [output] = await rig.outputOf(trigger.workflow.id, 'New name');
			assert.equal(output?.responseId, made!.data.responseId);
			await trigger.unpublishLeavesNoHook();
		});

		test('a trigger that is pasted again under the same name runs nothing again', async () => {
			const trigger = await published();
			await trigger.complete(3);
			await trigger.ranAll();
			// What was completed in the second of a publication runs for it.
			await sleep(1_000);
			const isNew = { id: crypto.randomUUID(), webhookId: crypto.randomUUID() };
			const nodes = trigger.workflow.nodes.map((one) => ({ ...one, ...isNew }));
			await rig.n8n.updateWorkflow(trigger.workflow.id, { nodes });
			await trigger.publish();
			await trigger.hasLooked();
			await trigger.complete(2);
			await trigger.ranAll();
			await trigger.onlyHook();
		});

		test('published again while the service makes no hooks: responses run, and the hook is made later', async () => {
			const connection = await rig.openService();
			const trigger = await published({ connection });
			await trigger.unpublishLeavesNoHook();
			const match = { method: 'POST', path: '/hooks' };
			await connection.service.addFault({ match, kind: 'status', status: 503, times: null });
			await trigger.publish();
			await trigger.complete(2);
			await trigger.ranAll(2 * MINUTE);
			await connection.service.clearFaults();
			await trigger.hasOneHook(1.5 * MINUTE);
			await trigger.unpublishLeavesNoHook();
		});

		test('a test event shows the latest response, without a hook, or says at once that there is none', async () => {
			const form = await rig.service.addForm('Contact');
			const [, latest] = await rig.service.addResponses(form.id, { count: 2 });
			for (const parameters of [{ testWith: 'latest' }, { authentication: 'apiKey' }]) {
				const workflow = await rig.addTriggerWorkflow(form.id, parameters);
				await rig.testTrigger(workflow.id);
				await rig.n8n.waitForExecution(workflow.id);
				const ids = (await rig.outputOf(workflow.id)).map(({ responseId }) => responseId);
				assert.deepEqual(ids, [latest!.data.responseId]);
				assert.deepEqual(await rig.service.hooksOf(form.id), []);
			}
			const empty = await rig.service.addForm('Empty');
			const workflow = await rig.addTriggerWorkflow(empty.id, { testWith: 'latest' });
			await assert.rejects(rig.testTrigger(workflow.id), /no completed response yet/);
		});
	});

	describeRestarts('n8n restarted', rig, { crash: false }, (it) => {
		it('a restart without anything missed starts at most one run and outputs nothing twice', async (restart) => {
			const trigger = await published();
			await trigger.complete(3);
			await trigger.ranAll();
			const runs = (await trigger.executions()).length;
			await restart();
			await trigger.hasLooked();
			assert.ok((await trigger.executions()).length <= runs + 1);
			await trigger.ranAll(0);
			await trigger.onlyHook();
		});

		it('nothing runs with an empty item, though Always Output Data is on', async (restart) => {
			const trigger = await published({ extra: { alwaysOutputData: true } });
			await trigger.complete(3);
			await trigger.ranAll();
			await restart();
			await trigger.ranNothingElse();
		});

		it('with an API key what is new or completed again is polled for, without a hook, once', async (restart) => {
			const form = await rig.service.addForm('Contact');
			const [there] = await rig.service.addResponses(form.id, { count: 3 });
			const parameters = { authentication: 'apiKey', pollInterval: 1 };
			const trigger = await published({ form, parameters });
			await trigger.hasLooked();
			assert.deepEqual(await trigger.executions(), []);
			trigger.made.push(await rig.service.completeAgain(there!.data.responseId));
			await trigger.complete(2);
			await trigger.ranAll(1.5 * MINUTE);
			assert.deepEqual(await trigger.hooks(), []);
			await restart();
			await trigger.ranNothingElse();
		});

		it('Only If: what does not meet it starts no execution, be it delivered, polled or missed', async (restart) => {
			const urgent = { label: 'Message', operation: 'contains', value: 'urgent' };
			// After a start of the trigger, n8n evaluates no expression.
			const onlyIf = (...conditions: object[]) => ({
				options: { onlyIf: { conditions }, flattenAnswers: '={{ true }}' },
			});
			const trigger = await published({ parameters: onlyIf(urgent) });
			const { form } = trigger;
			const call = 'Urgent: please call';
			// As the editor stores it: without what is as it was initially, or hidden.
			const asStored = [
				{ label: 'Message', value: call },
				{ label: 'Message', operation: 'exists' },
			];
			const asPolled = { authentication: 'apiKey', pollInterval: 1, ...onlyIf(...asStored) };
			const polled = await published({ form, parameters: asPolled });
			const say = async (Message: string) =>
				(await rig.service.addResponses(form.id, { answers: { Message } }))[0]!;
			await polled.hasLooked();
			await say('Hello');
			const made = [await say(call)];
			await say('');
			await trigger.ranOnceEach(made);
			await polled.ranOnceEach(made, 1.5 * MINUTE);
			assert.equal((await trigger.executions()).length, 1);
			await trigger.endsAreRecorded();
			const { id } = await trigger.onlyHook();
			await restart(async () => {
				await rig.service.loseHook(id);
				await say('Hello again');
				made.push(await say(call));
				await say('Bye');
			});
			await trigger.ranOnceEach(made, MINUTE);
			await polled.ranOnceEach(made, 1.5 * MINUTE);
			await trigger.ranNothingElse(made);
			// After a start, what is old is asked for apart from what may still be delivered.
			assert.ok((await trigger.executions()).length <= 3);
		});
	});

	describeRestarts('n8n killed', rig, { crash: true }, (it) => {
		it('7 responses completed while n8n was killed, and its hook lost, run once each', async (restart) => {
			const trigger = await workingTrigger(rig, {}, 2);
			const { id } = await trigger.onlyHook();
			await restart(async () => {
				await rig.service.loseHook(id);
				await trigger.complete(7);
			});
			await trigger.ranAll(MINUTE);
			await trigger.complete();
			await trigger.ranAll(2 * MINUTE);
			await trigger.ranNothingElse();
		});

		const tellsNoEnd =
			isOlderThan('2.33') &&
			'n8n does not tell a node when its run has ended, so a run that n8n does not survive after the trigger put its responses out does not run again';
		it('a run that n8n did not survive runs again, once; one that waits does not', async (restart, context) => {
			if (tellsNoEnd) return context.skip(tellsNoEnd);
			const extra = { typeVersion: 1.1, webhookId: crypto.randomUUID() };
			const wait = node('Wait', 'n8n-nodes-base.wait', { amount: 2, unit: 'hours' }, extra);
			const trigger = await published({ others: [slowNode(SHORT_RUN_MS)] });
			const waiting = await published({ others: [wait] });
			await waiting.complete();
			await sleep(LONG_RUN_MS);
			await trigger.complete(2);
			await eventually(async () => {
				const runs = await trigger.executions();
				assert.equal(runs.filter(({ status }) => status === 'running').length, 2);
			});
			// The node before the slow one has put its responses out by then.
			await sleep(1_000);
			await restart();
			await trigger.ranAll(MINUTE);
			await trigger.ranNothingElse();
			const runs = await waiting.executions();
			assert.equal(runs.filter(({ status }) => status === 'waiting').length, 1);
			await waiting.ranAll(0);
		});
	});
});
