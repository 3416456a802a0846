import assert from 'node:assert/strict';
import type { ActivationEngine } from '../../playground/n8n/environment.mts';
import { eventually } from '../e2e/eventually.mts';
import type { Envelope, Form } from '../e2e/service.mts';
import type { Connection, NodeDraft, Stage } from '../e2e/stage.mts';

type Json = Record<string, unknown>;

export interface TriggerOptions {
	parameters?: Json;
	settings?: Json;
	/** Nodes that run after the trigger. */
	others?: NodeDraft[];
	form?: Form;
	/** The form service, where it is not that of the stage. */
	connection?: Connection;
}

export const ENGINES = ['publication', 'activeWorkflowManager'] satisfies ActivationEngine[];

/** A response that is completed again is another one. */
const nameOf = (response: Json) => `${response.responseId} of ${response.completedAt}`;

/** A workflow of the trigger alone, published for a form of its own. */
export async function publishedTrigger(stage: Stage, options: TriggerOptions = {}) {
	const { parameters, settings, others, connection = stage } = options;
	const { service, credentials } = connection;
	const form = options.form ?? (await service.addForm('Contact'));
	const workflow = await stage.addTriggerWorkflow(form.id, parameters, others, { credentials });
	if (settings) await stage.n8n.updateWorkflow(workflow.id, { settings });
	const publish = async () =>
		assert.deepEqual(await stage.n8n.publish(workflow.id), { ok: true, message: '' });
	await publish();

	const hooks = async () => (await service.hooks()).filter(({ formId }) => formId === form.id);
	const ran = async () => await stage.outputOf(workflow.id);
	const executions = async () => await stage.n8n.executions({ workflowId: workflow.id });

	return {
		service,
		form,
		workflow,
		publish,
		unpublish: async () => await stage.n8n.unpublish(workflow.id),
		hooks,
		ran,
		executions,

		async onlyHook() {
			const all = await hooks();
			assert.equal(all.length, 1, `${all.length} hooks`);
			return all[0]!;
		},

		complete: async (count: number, how: Json = {}) =>
			await service.addResponses(form.id, { count, ...how }),

		/** Waits until exactly these responses ran, once each. */
		async ranOnceEach(responses: Envelope[], withinMs = 20_000) {
			const expected = responses.map(({ data }) => nameOf(data));
			const check = async () => {
				const names = (await ran()).map(nameOf);
				const missing = expected.filter((name) => !names.includes(name));
				const foreign = names.filter((name) => !expected.includes(name));
				const twice = names.filter((name, n) => names.indexOf(name) !== n);
				assert.deepEqual({ missing, foreign, twice }, { missing: [], foreign: [], twice: [] });
			};
			await eventually(check, withinMs, 1_000);
		},

		/** n8n regards the trigger as working, and would start it again. */
		async isPublished() {
			assert.equal((await stage.n8n.workflow(workflow.id)).active, true);
			const reached = await stage.n8n.publicationStatus(workflow.id);
			if (reached) assert.equal(reached.status, 'published', JSON.stringify(reached.triggers));
		},
	};
}

export type PublishedTrigger = Awaited<ReturnType<typeof publishedTrigger>>;
