import type { N8nClient } from '../n8n/client.mts';
import { isComplete, readExample, withChoices, type Credentials } from './example.mts';
import type { Form } from './service.mts';

/** By file name: the ID of the workflow in the playground, so that a second start finds it. */
const EXAMPLES = {
	'responses-to-data-table': 'PlaygroundTable1',
	'route-by-answer': 'PlaygroundRoute2',
	'catch-up-on-a-schedule': 'PlaygroundCatch3',
	'morning-digest': 'PlaygroundDigest4',
	'look-up-a-respondent': 'PlaygroundLookUp5',
	'reconcile-data-table': 'PlaygroundCompare6',
	'ask-your-responses': 'PlaygroundAsk7',
	'google-sheets-and-slack': 'PlaygroundSheets8',
};

/** The node that examples tell people to run once. */
const SET_UP = 'Create the table';

const NOTE = 'Set up';

async function setUp(n8n: N8nClient, id: string) {
	await n8n.runManually(id, { destinationNode: SET_UP });
	const { status, data } = await n8n.waitForExecution(id);
	if (status === 'success') return;
	throw new Error(`"${SET_UP}" failed in workflow ${id}: ${data.resultData.error?.message}`);
}

/** Drops the sample data, and the note on what to set up if everything is set. */
function chosen(example: string, forms: Form[], credentials: Credentials) {
	const { pinData: _, ...draft } = withChoices(readExample(example), forms, credentials);
	const nodes = isComplete(draft) ? draft.nodes.filter(({ name }) => name !== NOTE) : draft.nodes;
	return { ...draft, nodes };
}

/** Imports missing examples, and publishes those that need nothing more. */
export async function ensureExamples(n8n: N8nClient, forms: Form[], credentials: Credentials) {
	for (const [example, id] of Object.entries(EXAMPLES)) {
		if (!(await n8n.workflowExists(id))) {
			const draft = chosen(example, forms, credentials);
			await n8n.createWorkflow({ ...draft, id });
			if (draft.nodes.some(({ name }) => name === SET_UP)) await setUp(n8n, id);
		}
		const workflow = await n8n.workflow(id);
		if (!isComplete(workflow) || workflow.active || workflow.isArchived) continue;
		const { ok, message } = await n8n.publish(id);
		if (!ok) throw new Error(`"${workflow.name}" could not be published: ${message}`);
	}
	const ids = Object.values(EXAMPLES);
	const present = await Promise.all(ids.map(async (id) => await n8n.workflow(id)));
	return present.filter(({ isArchived }) => !isArchived);
}
