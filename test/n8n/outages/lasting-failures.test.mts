import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeEngines } from '../kit/describe-engines.mts';
import { eventually } from '../kit/eventually.mts';
import { publishTrigger, type TriggerOptions } from '../kit/published-trigger.mts';
import { node } from '../kit/workflow-nodes.mts';

const SECOND = 1_000;
const MINUTE = 60_000;

const timing = {
	silenceMs: 30 * SECOND,
	rePublishMs: 5 * SECOND,
	longestPaceMs: MINUTE,
	firstRetryMs: SECOND,
	longestRetryMs: 10 * SECOND,
	doubtMs: 30 * SECOND,
};
/** The trigger notices on its next look after that time; looks are a minute apart. */
const NOTICED_MS = timing.silenceMs + 4 * MINUTE;
const ANOTHER_SPELL_MS = timing.silenceMs + MINUTE;
const LOOKED_MS = 3 * MINUTE;
/** After 10 seconds, and after 20 answers of n8n's database, which may be slow. */
const REMOVAL_TRIED_MS = MINUTE;

const unavailable = { kind: 'status', status: 503, times: null } as const;

describeEngines(
	'what the trigger does when it has waited long enough',
	{ timing, concurrency: true },
	(rig) => {
		/** A published trigger that has had its first look, and counts of what its failures caused. */
		async function watched(options: TriggerOptions = {}) {
			const { id } = await rig.addWorkflow([node('Error Trigger', 'n8n-nodes-base.errorTrigger')]);
			await rig.publish(id);
			const trigger = await publishTrigger(rig, { ...options, settings: { errorWorkflow: id } });

			async function failedTimes(count: number) {
				assert.equal((await trigger.failed()).length, count);
				const runs = await rig.n8n.executions({ workflowId: id, status: 'success' });
				assert.equal(runs.length, count);
			}
			const firstLook = async () =>
				await eventually(async () => assert.notDeepEqual(await trigger.looks(), []));
			return { ...trigger, failedTimes, firstLook };
		}

		describe('never silent', { concurrency: true }, () => {
			const polling = { authentication: 'apiKey', pollInterval: 1 };
			for (const [says, parameters, status, reasons] of [
				['an API key that was revoked', polling, 401, [/API key/, /credential/i]],
				['a user who lost the scope responses:read', {}, 403, [/responses:read/]],
			] as const) {
				test(says, async () => {
					const trigger = await watched({ parameters });
					await trigger.firstLook();
					const refused = { match: trigger.matchOfLooks, kind: 'status', status } as const;
					const fault = await rig.service.addFault({ ...refused, times: null });
					const reason = await trigger.failure(NOTICED_MS);
					for (const part of reasons) assert.match(reason, part);
					await trigger.complete(2, { deliver: false });
					await sleep(ANOTHER_SPELL_MS);
					await trigger.failedTimes(1);
					await rig.service.removeFault(fault);
					await trigger.ranAll(LOOKED_MS);
					await trigger.failedTimes(1);
				});
			}

			test('a form that was deleted', async () => {
				const trigger = await watched();
				await trigger.firstLook();
				await rig.service.deleteForm(trigger.form.id);
				assert.match(await trigger.failure(NOTICED_MS), new RegExp(trigger.form.id));
				await sleep(ANOTHER_SPELL_MS);
				await trigger.failedTimes(1);
			});

			test('a hook that was lost and cannot be replaced', async () => {
				const connection = await rig.openService();
				const { service } = connection;
				const trigger = await watched({ connection });
				await trigger.firstLook();
				const { id } = await trigger.onlyHook();
				await service.settings({ maxHooks: 0 });
				await service.loseHook(id);
				await trigger.complete(2);
				const reason = await trigger.failure(NOTICED_MS);
				assert.match(reason, /too many/i);
				assert.match(reason, /Hook: Delete/);
				await trigger.ranAll();
				await service.settings({ maxHooks: 20 });
				await trigger.hasOneHook(LOOKED_MS);
				await trigger.isDelivered();
				await trigger.failedTimes(1);
			});

			test('a hook that was lost has a spare, which is asked about until the workflow is published again', async () => {
				const connection = await rig.openService();
				const { service } = connection;
				const trigger = await watched({ connection });
				await trigger.firstLook();
				const { id } = await trigger.onlyHook();
				await service.loseHook(id);
				await trigger.complete(2);
				await trigger.hasOneHook(NOTICED_MS);
				/** About what was delivered last. */
				async function questions() {
					const { responseId } = trigger.made.at(-1)!.data;
					return (await service.requestsFor('GET', `/responses/${responseId}`)).length;
				}
				await trigger.isDelivered();
				assert.equal(await questions(), 1);
				await trigger.unpublish();
				await trigger.publish();
				await trigger.isDelivered();
				assert.equal(await questions(), 0);
				await trigger.unpublishLeavesNoHook();
				await trigger.failedTimes(0);
			});

			test('an outage that ends in time is no failure', async () => {
				const form = await rig.service.addForm('Contact');
				const match = { method: 'GET', path: `^/forms/${form.id}/responses` };
				const outage = await rig.service.addFault({ match, ...unavailable });
				const trigger = await watched({ form });
				await sleep(0.6 * timing.silenceMs);
				await rig.service.removeFault(outage);
				await trigger.firstLook();
				await sleep(ANOTHER_SPELL_MS);
				await trigger.failedTimes(0);
			});
		});

		test('a publication that was refused, and mended later, is no pause', async () => {
			const connection = await rig.openService();
			const trigger = await publishTrigger(rig, { connection });
			const refusal = { match: trigger.matchOfLooks, kind: 'status', status: 403 } as const;
			const fault = await connection.service.addFault({ ...refusal, times: null });
			await rig.changeOptions(trigger.workflow.id, { answerKeys: 'fieldId' });
			assert.equal((await rig.n8n.publish(trigger.workflow.id)).ok, false);
			await trigger.complete(3);
			await sleep(2 * timing.rePublishMs);
			await connection.service.removeFault(fault);
			await trigger.publish();
			await trigger.ranAll(LOOKED_MS);
		});

		describe('a hook that cannot be removed at unpublishing', { concurrency: true }, () => {
			async function unpublished() {
				const trigger = await publishTrigger(rig);
				const { id } = await trigger.onlyHook();
				const match = { method: 'DELETE', path: id };
				const stuck = await rig.service.addFault({ match, ...unavailable });
				await trigger.unpublish();
				await eventually(async () => {
					const deletions = await rig.service.requestsFor('DELETE', `/hooks/${id}`);
					assert.notDeepEqual(deletions, []);
				}, REMOVAL_TRIED_MS);
				assert.equal((await trigger.onlyHook()).id, id);
				return { trigger, stuck };
			}

			test('is removed later', async () => {
				const { trigger, stuck } = await unpublished();
				await rig.service.removeFault(stuck);
				await trigger.hasNoHook(LOOKED_MS);
			});

			test('does not turn a pause into a gap that is caught up', async () => {
				const { trigger, stuck } = await unpublished();
				await sleep(2 * timing.rePublishMs);
				await trigger.complete(3);
				// What was completed in the second of the publication counts.
				await sleep(SECOND);
				await trigger.publish();
				await trigger.hasLooked();
				assert.deepEqual(await trigger.ran(), []);
				await rig.service.removeFault(stuck);
				await trigger.hasOneHook(LOOKED_MS);
				const made = await trigger.complete(1);
				await trigger.ranOnceEach(made);
			});
		});
	},
);
