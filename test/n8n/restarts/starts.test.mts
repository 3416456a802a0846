import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FormService } from '../../../playground/service/client.mts';
import { describeEngines } from '../kit/describe-engines.mts';
import { eventually } from '../kit/eventually.mts';
import { workingTrigger, workingTriggers } from '../kit/published-trigger.mts';
import { describeRestarts } from '../kit/shared-restarts.mts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const timing = { longestPaceMs: MINUTE, longestRetryMs: MINUTE / 2 };
/** What starting published workflows may cost, whatever fails. */
const READY_MS = 10 * SECOND;
/** n8n gives a publication up then (n8n, workflow-publication-outbox-consumer.ts). */
const PUBLICATION_MS = 84 * SECOND;
/** A request for a token ends then (@n8n/client-oauth2). */
const TOKEN_MS = 300 * SECOND;

const unavailable = { kind: 'status', status: 503, times: null } as const;
const hanging = { kind: 'hang', times: null } as const;
const tokens = { path: '^/oauth/token$' };
/** Longer than n8n gives a publication. */
const slowToken = { match: tokens, kind: 'delay', ms: 100 * SECOND, times: null } as const;
const readingForbidden = {
	match: { method: 'GET', path: '^/forms/.*/responses' },
	kind: 'status',
	status: 403,
	code: 'insufficient_scope',
	times: null,
} as const;
/** n8n's last try is followed by the removal of the hook 10 seconds later. */
const REMOVED_MS = 20 * SECOND;

type Begin = (service: FormService, formId: string) => Promise<unknown>;

const outages: Array<[says: string, begin: Begin]> = [
	['the service answers 503', async ({ addFault }) => await addFault(unavailable)],
	['the service hangs', async ({ addFault }) => await addFault(hanging)],
	[
		'the token server is very slow',
		async ({ expireTokens, addFault }) => {
			await addFault(slowToken);
			await expireTokens();
		},
	],
];

const refusals: Array<[says: string, refuse: Begin, reason: RegExp]> = [
	['its form is gone', async ({ deleteForm }, id) => await deleteForm(id), /form/i],
	['it may not read', async ({ addFault }) => await addFault(readingForbidden), /responses:read/],
];

describeEngines('n8n starts, or publishes, while something is wrong', { timing }, (rig) => {
	/** From when n8n answers until it has started all workflows, with none to start. */
	let startingMs: number;

	/** Waits until n8n, which was started so many times, has started its workflows. */
	async function hasStarted(times: number, withinMs: number) {
		await eventually(async () => {
			const log = await readFile(rig.instance.logPath, 'utf8');
			assert.equal(log.split('Editor is now accessible').length - 1, times);
		}, withinMs);
	}

	before(async () => {
		await hasStarted(1, MINUTE);
		startingMs = Date.now() - rig.startedAt;
	});

	const changeParameters = async (id: string) =>
		await rig.changeOptions(id, { answerKeys: 'fieldId' });

	/** Publishes before n8n gives up; gives n8n's answer. */
	async function publishInTime(id: string) {
		const publishedAt = Date.now();
		const answer = await rig.n8n.publish(id);
		const tookMs = Date.now() - publishedAt;
		assert.ok(tookMs < PUBLICATION_MS, `${tookMs} ms: ${answer.message}`);
		return answer;
	}

	/** Publishes what cannot be published, and does nothing afterwards; gives n8n's message. */
	async function refusal(workflowId: string, service: FormService) {
		const { ok, message } = await publishInTime(workflowId);
		assert.equal(ok, false);
		await service.clearFaults();
		await sleep(REMOVED_MS);
		await service.forgetRequests();
		await sleep(2 * MINUTE);
		assert.deepEqual(await service.requests(), []);
		return message;
	}

	describeRestarts('side by side', rig, { crash: true }, (it) => {
		it('a start while the token server accepts connections and never answers', async (restart) => {
			const connection = await rig.openService();
			const { service } = connection;
			const all = await workingTriggers(rig, connection, 5);
			const hangs = await restart(async () => {
				await service.expireTokens();
				return await service.addFault({ match: tokens, ...hanging });
			});
			await hasStarted(2, READY_MS + startingMs);
			await sleep(MINUTE);
			await all(async ({ complete }) => await complete(1));
			await all(async ({ complete }) => await complete(1, { deliver: false }));
			await sleep(MINUTE);
			await service.removeFault(hangs);
			const deadline = Math.max(Date.now(), rig.startedAt + TOKEN_MS) + MINUTE;
			await all(async ({ ranAll }) => await ranAll(deadline - Date.now()));
			await all(async ({ hasOneHook }) => await hasOneHook(deadline - Date.now()));
			await all(async ({ isPublished }) => await isPublished());
			await all(async ({ isDelivered }) => await isDelivered());
		});

		it('a start with the base URL spelled otherwise', async (restart) => {
			const connection = await rig.openService();
			const { service, credentials } = connection;
			const trigger = await workingTrigger(rig, { connection });
			const baseUrl = `${service.baseUrl.replace('127.0.0.1', 'LOCALHOST')}/`;
			const { id } = credentials.formResponsesOAuth2Api;
			await rig.n8n.updateCredential(id, { data: { baseUrl } });
			await restart(async () => await trigger.complete(2));
			await trigger.ranAll(MINUTE);
			// Hooks that it does not know any more remove themselves when they deliver.
			const hasOneHook = async () => {
				await trigger.isDelivered();
				await trigger.onlyHook();
			};
			await eventually(hasOneHook, 3 * MINUTE, 5 * SECOND);
		});

		for (const [says, begin] of outages) {
			it(`published again while ${says}`, async (restart) => {
				await restart();
				const connection = await rig.openService();
				const trigger = await workingTrigger(rig, { connection });
				await begin(connection.service, trigger.form.id);
				await changeParameters(trigger.workflow.id);
				assert.deepEqual(await publishInTime(trigger.workflow.id), { ok: true, message: '' });
				await trigger.complete(1);
				await trigger.complete(1, { deliver: false });
				await sleep(MINUTE / 2);
				await connection.service.clearFaults();
				await trigger.ranAll(3 * MINUTE);
				await trigger.isPublished();
				await eventually(async () => assert.ok((await trigger.hooks())[0]), MINUTE);
				await trigger.isDelivered();
				await trigger.hasOneHook();
			});
		}

		for (const [says, refuse, reason] of refusals) {
			it(`published again when ${says}`, async (restart) => {
				await restart();
				const connection = await rig.openService();
				const trigger = await workingTrigger(rig, { connection });
				await refuse(connection.service, trigger.form.id);
				await changeParameters(trigger.workflow.id);
				assert.match(await refusal(trigger.workflow.id, connection.service), reason);
			});
		}

		it('published for the first time while the service hangs', async (restart) => {
			await restart();
			const { service, credentials } = await rig.openService();
			const form = await service.addForm('Contact');
			const { id } = await rig.addTriggerWorkflow(form.id, {}, [], { credentials });
			await service.addFault(hanging);
			const message = await refusal(id, service);
			assert.ok(message.includes(new URL(service.url).host), message);
		});
	});
});
