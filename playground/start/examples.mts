import type { N8nClient } from '../n8n/client.mts';
import type { Workflow } from '../n8n/types.mts';
import { readExample, withChoices } from './example.mts';
import type { Credentials } from './example.mts';
import type { Form } from './service.mts';

interface Shown {
	example: string;
	/** Of the workflow in the playground, so that a second start finds it. */
	id: string;
	/** It can run without anything that the playground lacks. */
	isPublished: boolean;
}

const SHOWN: Shown[] = [
	{ example: 'responses-to-data-table', id: 'PlaygroundTable1', isPublished: true },
	// Needs a mail server.
	{ example: 'route-by-answer', id: 'PlaygroundRoute2', isPublished: false },
	{ example: 'catch-up-on-a-schedule', id: 'PlaygroundCatch3', isPublished: true },
];

/** What the examples have a person run once, by hand. */
const SET_UP = 'Create the table';

async function importExample(
	n8n: N8nClient,
	{ example, id }: Shown,
	forms: Form[],
	credentials: Credentials,
) {
	const { pinData: _, ...draft } = readExample(example);
	await n8n.createWorkflow({ ...withChoices(draft, forms, credentials), id });
	if (!draft.nodes.some(({ name }) => name === SET_UP)) return;
	await n8n.runManually(id, { destinationNode: SET_UP });
	const { status, data } = await n8n.waitForExecution(id);
	if (status === 'success') return;
	throw new Error(
		`The table of "${draft.name}" could not be made: ${data.resultData.error?.message}`,
	);
}

/** Imports the examples that are not there yet, and sees to it that those meant to run are published. */
export async function ensureExamples(
	n8n: N8nClient,
	forms: Form[],
	credentials: Credentials,
): Promise<Workflow[]> {
	const present: Workflow[] = [];
	for (const shown of SHOWN) {
		if (!(await n8n.workflowExists(shown.id))) {
			await importExample(n8n, shown, forms, credentials);
		}
		const workflow = await n8n.workflow(shown.id);
		if (workflow.isArchived) continue;
		if (shown.isPublished && !workflow.active) {
			const { ok, message } = await n8n.publish(workflow.id);
			if (!ok) throw new Error(`"${workflow.name}" could not be published: ${message}`);
		}
		present.push(await n8n.workflow(workflow.id));
	}
	return present;
}
