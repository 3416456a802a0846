import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { N8nClient } from '../n8n/client.mts';
import type { Credential, Workflow, WorkflowDraft, WorkflowNode } from '../n8n/types.mts';
import type { Form } from './forms.mts';
import { dataFolderName } from './settings.mts';

const folder = resolve(import.meta.dirname, '../workflows');

interface Example extends WorkflowDraft {
	id: string;
	/** Whether it is to be published. */
	active: boolean;
}

interface FormLocator {
	mode: string;
	value: string;
	cachedResultName: string;
}

function readExamples(): Example[] {
	return readdirSync(folder)
		.filter((file) => file.endsWith('.json'))
		.sort()
		.map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Example);
}

function formLocator(node: WorkflowNode): FormLocator | undefined {
	return node.parameters.formId as FormLocator | undefined;
}

/** The examples name their form by title and their credentials by type: the ids are this playground's own. */
function filledIn(node: WorkflowNode, forms: Form[], credentials: Map<string, Credential>) {
	const locator = formLocator(node);
	const form = locator && forms.find(({ title }) => title === locator.cachedResultName);
	if (locator && !form) {
		throw new Error(`The service has no form "${locator.cachedResultName}".`);
	}
	const used = Object.keys(node.credentials ?? {}).map((type) => {
		const { id, name } = credentials.get(type)!;
		return [type, { id, name }];
	});
	return {
		...node,
		...(used.length > 0 && { credentials: Object.fromEntries(used) }),
		parameters: { ...node.parameters, ...(form && { formId: { ...locator, value: form.id } }) },
	};
}

function requireKnownForms({ name, nodes }: Workflow, forms: Form[]) {
	const chosen = nodes.map(formLocator).filter((locator) => locator?.mode === 'list');
	const lost = chosen.some((locator) => !forms.some(({ id }) => id === locator?.value));
	if (!lost) return;
	throw new Error(
		`The workflow "${name}" uses a form that the service no longer has. Choose another in n8n, or delete the folder ${dataFolderName} and start afresh.`,
	);
}

async function isLive(n8n: N8nClient, { id, active }: Workflow): Promise<boolean> {
	if (!active) return false;
	const publication = await n8n.settledPublication(id);
	return publication === undefined || publication.status === 'published';
}

/** Imports the examples that are not there yet, and sees to it that those meant to run are published. */
export async function ensureExamples(
	n8n: N8nClient,
	forms: Form[],
	credentials: Map<string, Credential>,
): Promise<Workflow[]> {
	const present: Workflow[] = [];
	for (const { active, ...draft } of readExamples()) {
		if (!(await n8n.workflowExists(draft.id))) {
			const nodes = draft.nodes.map((node) => filledIn(node, forms, credentials));
			await n8n.createWorkflow({ ...draft, nodes });
		}
		const workflow = await n8n.workflow(draft.id);
		if (workflow.isArchived) continue;
		requireKnownForms(workflow, forms);
		if (active && !(await isLive(n8n, workflow))) {
			const { ok, message } = await n8n.publish(workflow.id);
			if (!ok) throw new Error(`"${workflow.name}" could not be published: ${message}`);
		}
		present.push(await n8n.workflow(workflow.id));
	}
	return present;
}
