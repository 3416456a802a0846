import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeEngines } from '../kit/describe-engines.mts';
import { eventually } from '../kit/eventually.mts';
import { publishTrigger } from '../kit/published-trigger.mts';
import { NOWHERE, TRIGGER } from '../kit/workflow-nodes.mts';

interface Refusal {
	says: RegExp[];
	/** What the credential has otherwise. */
	credential?: Record<string, string>;
	formId?: string;
	maxHooks?: number;
}

const refusals: Record<string, Refusal> = {
	'without the scope: 403 names it': {
		credential: { scope: 'forms:read responses:read' },
		says: [/hooks:write/],
	},
	'for a form that does not exist: 404 names it': {
		formId: NOWHERE,
		says: [new RegExp(NOWHERE)],
	},
	'one too many: 400 says so, what to do, and no key': {
		maxHooks: 0,
		says: [/too many/i, /Hook: Delete/, /^(?!.*[\w-]{43})/s],
	},
	'with a local webhook URL at a service elsewhere': {
		credential: { baseUrl: 'https://forms.example.com/api/v1' },
		says: [/WEBHOOK_URL/],
	},
};

describeEngines('the life of a trigger', { skip: false, concurrency: true }, (rig) => {
	test('publish makes one hook with a secret, a response runs, unpublish removes the hook', async () => {
		const trigger = await publishTrigger(rig);
		const { targetUrl } = await trigger.onlyHook();
		assert.match(new URL(targetUrl).search, /[\w-]{43}/);
		await trigger.complete(1, { answers: { Name: 'Ada', Stars: '5' } });
		const execution = await rig.n8n.waitForExecution(trigger.workflow.id);
		assert.equal(execution.mode, 'webhook');
		const items = rig.n8n.nodeOutput(execution, TRIGGER);
		assert.equal(items.length, 1);
		assert.deepEqual(items[0]!.json.answers, { Name: 'Ada', Stars: '5' });
		await trigger.unpublish();
		await trigger.hasNoHook();
	});

	test('options shape the output as in the action node', async () => {
		const form = await rig.service.addForm('Contact');
		const raw = await publishTrigger(rig, { form, parameters: { simplify: false } });
		const options = { answerKeys: 'fieldId', verifyDeliveries: true };
		const byField = await publishTrigger(rig, { form, parameters: { options } });
		const [made] = await raw.complete(1, { answers: { Name: 'Ada' } });
		const { fieldId } = made!.data.answers[0]!;
		await eventually(async () => {
			assert.deepEqual(await raw.ran(), [made]);
			const [output] = await byField.ran();
			assert.deepEqual(output?.answers, { [fieldId]: 'Ada' });
		});
	});

	// Where one ends, n8n 1.123 ends them all (n8n, test-webhooks.ts, deactivateWebhooks).
	describe('test listeners, one at a time', { concurrency: 1 }, () => {
		test('listening for a test event runs with the next response and leaves no hook', async () => {
			const form = await rig.service.addForm('Contact');
			const workflow = await rig.addTriggerWorkflow(form.id);
			const run = await rig.testTrigger(workflow.id);
			assert.equal(run.waitingForWebhook, true);
			assert.equal((await rig.service.hooksOf(form.id)).length, 1);
			await sleep(500);
			const [made] = await rig.service.addResponses(form.id, { answers: { Name: 'Ada' } });
			await rig.n8n.waitForExecution(workflow.id);
			const [output] = await rig.outputOf(workflow.id);
			assert.equal(output!.responseId, made!.data.responseId);
			await eventually(async () => assert.deepEqual(await rig.service.hooksOf(form.id), []));
		});

		test('a test listener that is canceled leaves no hook, even if the service fails for a while', async () => {
			const { service, credentials } = await rig.openService();
			const form = await service.addForm('Contact');
			const workflow = await rig.addTriggerWorkflow(form.id, {}, [], { credentials });
			await rig.testTrigger(workflow.id);
			const match = { method: 'DELETE' };
			await service.addFault({ match, kind: 'status', status: 503, times: 5 });
			await rig.n8n.cancelTestWebhook(workflow.id);
			await eventually(async () => assert.deepEqual(await service.hooks(), []), 40_000);
		});
	});

	for (const [name, { says, credential, formId, maxHooks = 20 }] of Object.entries(refusals)) {
		test(`publishing fails with the reason of a subscription that is refused: ${name}`, async () => {
			const { service } = await rig.openService();
			await service.settings({ maxHooks });
			const form = await service.addForm('Contact');
			const changes = { grantType: 'clientCredentials', ...credential };
			const type = 'formResponsesOAuth2Api';
			const { credentials } = await rig.addCredential(type, changes, service);
			const workflow = await rig.addTriggerWorkflow(formId ?? form.id, {}, [], { credentials });
			const { ok, message } = await rig.n8n.publish(workflow.id);
			assert.equal(ok, false);
			for (const reason of says) assert.match(message, reason);
			assert.deepEqual(await service.hooks(), []);
		});
	}
});

// Side by side, because n8n tries each subscription that is refused five times within 15 seconds.
