import type { N8nClient } from '../n8n/client.mts';
import { readExample, withChoices, type Credentials } from './example.mts';
import type { Form } from './service.mts';

const EXAMPLES = [
	{
		example: 'responses-to-data-table',
		/** The workflow's ID in the playground, by which a second start finds it. */
		id: 'PlaygroundTable1',
		/** Only if it needs nothing that the playground lacks. */
		isPublished: true,
	},
	// Needs a mail server.
	{ example: 'route-by-answer', id: 'PlaygroundRoute2', isPublished: false },
	{ example: 'catch-up-on-a-schedule', id: 'PlaygroundCatch3', isPublished: true },
];

/** The node that examples tell people to run once. */
const SET_UP = 'Create the table';

async function setUp(n8n: N8nClient, id: string) {
	await n8n.runManually(id, { destinationNode: SET_UP });
	const { status, data } = await n8n.waitForExecution(id);
	if (status === 'success') return;
	throw new Error(`"${SET_UP}" failed in workflow ${id}: ${data.resultData.error?.message}`);
}

/** Imports missing examples, and publishes those meant to run. */
export async function ensureExamples(n8n: N8nClient, forms: Form[], credentials: Credentials) {
	for (const { example, id, isPublished } of EXAMPLES) {
		if (!(await n8n.workflowExists(id))) {
			const { pinData: _, ...draft } = readExample(example);
			await n8n.createWorkflow({ ...withChoices(draft, forms, credentials), id });
			if (draft.nodes.some(({ name }) => name === SET_UP)) await setUp(n8n, id);
		}
		const { name, active, isArchived } = await n8n.workflow(id);
		if (!isPublished || active || isArchived) continue;
		const { ok, message } = await n8n.publish(id);
		if (!ok) throw new Error(`"${name}" could not be published: ${message}`);
	}
	const present = await Promise.all(EXAMPLES.map(async ({ id }) => await n8n.workflow(id)));
	return present.filter(({ isArchived }) => !isArchived);
}
