import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Workflow } from '../../../playground/n8n/types.mts';
import { codeNode, type NodeDraft } from './workflow-nodes.mts';
import { eventually } from './eventually.mts';
import { isUnderWay } from './run-outputs.mts';
import type { Envelope, Form, FormService } from '../../../playground/service/client.mts';
import type { Connection, Rig } from './real-n8n.mts';

type Json = Record<string, unknown>;

export interface TriggerOptions {
	parameters?: Json;
	settings?: Json;
	/** Further settings of the node. */
	extra?: Json;
	/** Nodes that run after the trigger. */
	others?: NodeDraft[];
	form?: Form;
	/** The form service, where it is not that of the rig. */
	connection?: Connection;
}

/** The trigger's first look begins 3 seconds after a start; what publishing itself reads comes before. */
const LOOK_BEGINS_MS = 2_000;
/** The trigger waits 15 seconds for deliveries of what a look found, and half a second more for each, before it runs it. */
const LOOK_ENDS_MS = 20_000;
/** What another run had begun is emitted again 30 seconds later. */
const TAKEN_OVER_MS = 35_000;
/** A run that ended later may run again if n8n is killed (docs/reliability.md, Limits). */
const END_RECORDED_MS = 1_000;
/** The removal begins 10 seconds after n8n has unpublished. */
const REMOVED_MS = 30_000;
/** Sooner than any look could bring a response, also on a busy machine. */
const DELIVERY_MS = 15_000;

interface Published {
	service: FormService;
	form: Form;
	workflow: Workflow;
}

export const idsOf = (responses: Envelope[]) => responses.map(({ data }) => data.responseId).sort();

/** Lasts as long after the trigger. */
export const slowNode = (ms: number) =>
	codeNode('Slow', `await new Promise((end) => setTimeout(end, ${ms})); return $input.all();`);

/** A response that is completed again is another one. */
const nameOf = (response: Json) =>
	`${String(response.responseId)} of ${String(response.completedAt)}`;

/** What n8n and the service show of a trigger. */
function shownOf(rig: Rig, { service, form, workflow }: Published) {
	const hooks = async () => await service.hooksOf(form.id);
	const ran = async () => await rig.outputOf(workflow.id);
	const executions = async () => await rig.n8n.executions({ workflowId: workflow.id });

	/** Executions that n8n's error workflow hears of. */
	const failed = async () => (await executions()).filter(({ status }) => status === 'error');

	async function onlyHook() {
		const all = await hooks();
		assert.equal(all.length, 1, `${all.length} hooks`);
		return all[0]!;
	}

	/** The API's answers to its looks. */
	const looks = async () =>
		(await service.requestsFor('GET', `/forms/${form.id}/responses`)).filter(
			({ status }) => status === 200,
		);

	return {
		looks,
		hooks,
		ran,
		executions,
		failed,
		onlyHook,

		/** Waits for the only failure; gives what people read of it. */
		async failure(withinMs: number): Promise<string> {
			const only = async () => {
				const [one, ...more] = await failed();
				assert.ok(one !== undefined, 'no failure is told');
				assert.equal(more.length, 0, `${more.length} more failures`);
				return one;
			};
			const { id } = await eventually(only, withinMs, 1_000);
			const { error } = (await rig.n8n.execution(id)).data.resultData;
			return [error?.message, error?.description].join(' ');
		},

		hasOneHook: async (withinMs?: number) => await eventually(onlyHook, withinMs),
		hasNoHook: async (withinMs?: number) =>
			await eventually(async () => assert.deepEqual(await hooks(), []), withinMs),

		/** n8n regards the trigger as working, and would start it again. */
		async isPublished() {
			assert.equal((await rig.n8n.workflow(workflow.id)).active, true);
			const reached = await rig.n8n.publicationStatus(workflow.id);
			if (reached) assert.equal(reached.status, 'published', JSON.stringify(reached.triggers));
		},
	};
}

type Shown = ReturnType<typeof shownOf>;

/** Waits for what the trigger runs. */
function waitsOf(rig: Rig, { ran, executions, looks }: Shown) {
	/** Whether a run told that another one had begun some, so that they will be emitted again. */
	async function isTakingOver() {
		const lately = (await executions()).filter(
			({ stoppedAt }) => Date.parse(stoppedAt ?? '') > Date.now() - TAKEN_OVER_MS,
		);
		const all = await Promise.all(lately.map(async ({ id }) => await rig.n8n.execution(id)));
		return all.some(({ data }) => /"responseVerdicts":"\w*t/.test(JSON.stringify(data)));
	}

	return {
		/** Waits until exactly these responses ran, once each. */
		async ranOnceEach(responses: Envelope[], withinMs = 20_000) {
			const expected = responses.map(({ data }) => nameOf(data)).sort();
			const check = async () => assert.deepEqual((await ran()).map(nameOf).sort(), expected);
			await eventually(check, withinMs, 500);
		},

		/** In queue mode n8n still shows an execution as running that was killed with its worker. */
		async allEnded(withinMs = 20_000) {
			await eventually(async () => {
				const underWay = (await executions()).filter(isUnderWay);
				const later = underWay.filter(({ createdAt }) => Date.parse(createdAt) > rig.killedAt);
				assert.deepEqual(later, []);
			}, withinMs);
		},

		/** Waits until n8n may be killed, and nothing that ran runs again. */
		async endsAreRecorded() {
			await eventually(async () => {
				const ends = (await executions()).map(({ stoppedAt }) => Date.parse(stoppedAt ?? ''));
				const lately = ends.filter((end) => end > Date.now() - END_RECORDED_MS);
				assert.deepEqual(lately, []);
			});
		},

		/**
		 * Waits until the trigger has looked for what was missed, and has run it. Its first two looks may
		 * come while it is being published; the third one comes two minutes later.
		 *
		 * @param startedAt when n8n was started, or the workflow published, whichever was later
		 */
		async hasLooked(withinMs: number, startedAt: number) {
			const after = startedAt + LOOK_BEGINS_MS;
			await eventually(async () => {
				const look = (await looks()).find(({ at }) => Date.parse(at) > after);
				assert.ok(look, 'the trigger has not looked yet');
				assert.ok(Date.now() - Date.parse(look.at) > LOOK_ENDS_MS, 'the look may go on');
			}, withinMs);
			await this.allEnded(withinMs);
			await eventually(async () => assert.equal(await isTakingOver(), false), withinMs, 1_000);
			await this.allEnded(withinMs);
		},
	};
}

/** Completes what has to run. */
function demandsOn({ service, form }: Published, { ranOnceEach }: ReturnType<typeof waitsOf>) {
	const made: Envelope[] = [];

	async function complete(count = 1, how: Json = {}) {
		const responses = await service.addResponses(form.id, { count, ...how });
		made.push(...responses);
		return responses;
	}

	const ranAll = async (withinMs?: number) => await ranOnceEach(made, withinMs);

	/** Completes so many more, which deliveries bring. */
	async function isDelivered(count = 1) {
		await complete(count);
		await ranAll(DELIVERY_MS);
	}

	return { made, complete, ranAll, isDelivered };
}

/** A workflow of the trigger and what runs after it, published for a form of its own. */
export async function publishTrigger(rig: Rig, options: TriggerOptions = {}) {
	const { parameters, settings, extra, others, connection = rig } = options;
	const { service, credentials } = connection;
	const form = options.form ?? (await service.addForm('Contact'));
	// What was completed in the second of the publication counts.
	if (options.form) await sleep(1_000);
	const ownExtra = { credentials, ...extra };
	const workflow = await rig.addTriggerWorkflow(form.id, parameters, others, ownExtra);
	if (settings) await rig.n8n.updateWorkflow(workflow.id, { settings });
	let publishedAt = 0;

	async function publish() {
		await rig.publish(workflow.id);
		publishedAt = Date.now();
	}
	await publish();

	const published = { service, form, workflow };
	const shown = shownOf(rig, published);
	const waits = waitsOf(rig, shown);
	const demands = demandsOn(published, waits);
	const unpublish = async () => await rig.n8n.unpublish(workflow.id);
	const hasLooked = async (withinMs = 150_000, startedAt = Math.max(publishedAt, rig.startedAt)) =>
		await waits.hasLooked(withinMs, startedAt);
	return {
		...published,
		...shown,
		...waits,
		/** For faults of its looks. */
		matchOfLooks: { method: 'GET', path: `^/forms/${form.id}/responses` },
		...demands,
		publish,
		unpublish,
		hasLooked,

		/** Waits for a look as well, which has found nothing else. */
		async ranNothingElse(responses = demands.made) {
			await hasLooked();
			await waits.ranOnceEach(responses, 0);
		},
		async unpublishLeavesNoHook() {
			await unpublish();
			await shown.hasNoHook(REMOVED_MS);
		},
	};
}

export type PublishedTrigger = Awaited<ReturnType<typeof publishTrigger>>;

/** A published trigger that has run as many responses, and n8n may be killed. */
export async function workingTrigger(rig: Rig, options: TriggerOptions = {}, count = 1) {
	const trigger = await publishTrigger(rig, options);
	await trigger.complete(count);
	await trigger.ranAll();
	await trigger.endsAreRecorded();
	return trigger;
}

/** So many of one connection; checks all at once. */
export async function workingTriggers(rig: Rig, connection: Connection, count: number) {
	const adding = Array.from(
		{ length: count },
		async () => await workingTrigger(rig, { connection }),
	);
	const triggers = await Promise.all(adding);
	return async (check: (trigger: PublishedTrigger) => Promise<unknown>) =>
		void (await Promise.all(triggers.map(check)));
}
