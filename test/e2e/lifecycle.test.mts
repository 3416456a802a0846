import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { activationEngines } from '../../playground/n8n/version.mts';
import { TRIGGER } from '../live/drafts.mts';
import { eventually } from '../live/eventually.mts';
import { publishTrigger } from '../live/published-trigger.mts';
import { openStage } from '../live/stage.mts';
import type { Stage } from '../live/stage.mts';

const NOWHERE = '00000000-0000-4000-8000-000000000000';

for (const engine of activationEngines()) {
	describe(`the life of a trigger, engine ${engine}`, () => {
		let stage: Stage;
		before(async () => void (stage = await openStage({ engine })));
		after(async () => await stage?.close());

		test('publish makes one hook with a secret, a response runs, unpublish removes the hook', async () => {
			const trigger = await publishTrigger(stage);
			const { targetUrl } = await trigger.onlyHook();
			assert.match(new URL(targetUrl).search, /[\w-]{43}/);

			await trigger.complete(1, { answers: { Name: 'Ada', Stars: '5' } });
			const execution = await stage.n8n.waitForExecution(trigger.workflow.id);
			assert.equal(execution.mode, 'webhook');
			const items = stage.n8n.nodeOutput(execution, TRIGGER);
			assert.equal(items.length, 1);
			assert.deepEqual(items[0]!.json.answers, { Name: 'Ada', Stars: '5' });

			await trigger.unpublish();
			await trigger.hasNoHook();
		});

		test('options shape the output as in the action node', async () => {
			const form = await stage.service.addForm('Contact');
			const raw = await publishTrigger(stage, { form, parameters: { simplify: false } });
			const options = { answerKeys: 'fieldId', verifyDeliveries: true };
			const byField = await publishTrigger(stage, { form, parameters: { options } });
			const [made] = await raw.complete(1, { answers: { Name: 'Ada' } });
			await stage.n8n.waitForExecution(raw.workflow.id);
			await stage.n8n.waitForExecution(byField.workflow.id);
			assert.deepEqual(await raw.ran(), [made]);
			const [output] = await byField.ran();
			assert.deepEqual(output!.answers, { [made!.data.answers[0]!.fieldId]: 'Ada' });
			await raw.unpublish();
			await byField.unpublish();
		});

		test('listening for a test event runs with the next response and leaves no hook', async () => {
			const form = await stage.service.addForm('Contact');
			const workflow = await stage.addTriggerWorkflow(form.id);
			const run = await stage.n8n.runManually(workflow.id, { triggerToStartFrom: TRIGGER });
			assert.equal(run.waitingForWebhook, true);
			assert.equal((await stage.service.hooksOf(form.id)).length, 1);
			await sleep(500);
			const [made] = await stage.service.addResponses(form.id, { answers: { Name: 'Ada' } });
			await stage.n8n.waitForExecution(workflow.id);
			const [output] = await stage.outputOf(workflow.id);
			assert.equal(output!.responseId, made!.data.responseId);
			await eventually(async () => assert.deepEqual(await stage.service.hooksOf(form.id), []));
		});

		test('a test listener that is canceled leaves no hook, even if the service fails for a while', async () => {
			const form = await stage.service.addForm('Contact');
			const workflow = await stage.addTriggerWorkflow(form.id);
			await stage.n8n.runManually(workflow.id, { triggerToStartFrom: TRIGGER });
			await stage.service.addFault({
				match: { method: 'DELETE' },
				kind: 'status',
				status: 503,
				times: 5,
			});
			await stage.n8n.cancelTestWebhook(workflow.id);
			await eventually(
				async () => assert.deepEqual(await stage.service.hooksOf(form.id), []),
				40_000,
			);
			await stage.service.clearFaults();
		});

		// Together, because n8n tries each subscription five times within 15 seconds.
		describe(
			'a subscription that is refused fails publishing with its reason',
			{ concurrency: true },
			() => {
				let narrow: { id: string; name: string };
				before(async () => {
					narrow = await stage.n8n.createCredential({
						name: 'Without hooks:write',
						type: 'formResponsesOAuth2Api',
						data: {
							baseUrl: stage.service.baseUrl,
							grantType: 'clientCredentials',
							accessTokenUrl: `${stage.service.url}/oauth/token`,
							clientId: 'playground',
							clientSecret: 'playground-secret',
							scope: 'forms:read responses:read',
							authentication: 'header',
						},
					});
				});

				test('403: names the scope', async () => {
					const form = await stage.service.addForm('Contact');
					const { nodes, ...rest } = await stage.addTriggerWorkflow(form.id);
					const credentials = { formResponsesOAuth2Api: { id: narrow.id, name: narrow.name } };
					await stage.n8n.updateWorkflow(rest.id, {
						nodes: nodes.map((node) => ({ ...node, credentials })),
					});
					const { ok, message } = await stage.n8n.publish(rest.id);
					assert.equal(ok, false);
					assert.match(message, /hooks:write/);
					assert.deepEqual(await stage.service.hooksOf(form.id), []);
				});

				test('404: names the form', async () => {
					const workflow = await stage.addTriggerWorkflow(NOWHERE);
					const { ok, message } = await stage.n8n.publish(workflow.id);
					assert.equal(ok, false);
					assert.match(message, new RegExp(NOWHERE));
					assert.deepEqual(await stage.service.hooksOf(NOWHERE), []);
				});

				test('400: says that there are too many subscriptions, and what to do', async () => {
					await stage.service.settings({ maxHooks: 0 });
					const form = await stage.service.addForm('Contact');
					const workflow = await stage.addTriggerWorkflow(form.id);
					const { ok, message } = await stage.n8n.publish(workflow.id);
					await stage.service.settings({ maxHooks: 20 });
					assert.equal(ok, false);
					assert.match(message, /too many/i);
					assert.match(message, /Hook: Delete/);
					assert.doesNotMatch(message, /[\w-]{43}/);
					assert.deepEqual(await stage.service.hooksOf(form.id), []);
				});

				test('a local webhook URL with a service elsewhere is refused before any request', async () => {
					const elsewhere = await stage.n8n.createCredential({
						name: 'Elsewhere',
						type: 'formResponsesOAuth2Api',
						data: {
							baseUrl: 'https://forms.example.com/api/v1',
							grantType: 'clientCredentials',
							accessTokenUrl: `${stage.service.url}/oauth/token`,
							clientId: 'playground',
							clientSecret: 'playground-secret',
							scope: 'hooks:write',
							authentication: 'header',
						},
					});
					const { nodes, id } = await stage.addTriggerWorkflow(NOWHERE);
					const credentials = {
						formResponsesOAuth2Api: { id: elsewhere.id, name: elsewhere.name },
					};
					await stage.n8n.updateWorkflow(id, {
						nodes: nodes.map((node) => ({ ...node, credentials })),
					});
					const { ok, message } = await stage.n8n.publish(id);
					assert.equal(ok, false);
					assert.match(message, /WEBHOOK_URL/);
				});
			},
		);
	});
}
