import { globSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Credential, Item, WorkflowDraft, WorkflowNode } from '../n8n/types.mts';
import type { Form } from './service.mts';

const folder = resolve(import.meta.dirname, '../../examples');

/** A workflow as n8n exports it. */
export interface Example extends WorkflowDraft {
	/** Sample data by node name. */
	pinData: Record<string, Item[]>;
}

/** Keyed by type. */
export type Credentials = Map<string, Pick<Credential, 'id' | 'name'>>;

/** File names without `.json`. */
export const exampleNames = globSync('*.json', { cwd: folder })
	.map((file) => basename(file, '.json'))
	.sort();

export const exampleFile = (name: string) => join(folder, `${name}.json`);

export const readExample = (name: string): Example =>
	JSON.parse(readFileSync(exampleFile(name), 'utf8'));

/** The credential types of nodes that come with n8n. */
const CREDENTIAL_OF: Record<string, string> = {
	'n8n-nodes-base.emailSend': 'smtp',
	'n8n-nodes-base.formTrigger': 'httpBasicAuth',
	'n8n-nodes-base.googleSheets': 'googleSheetsOAuth2Api',
	'n8n-nodes-base.slack': 'slackApi',
	'@n8n/n8n-nodes-langchain.lmChatOpenAi': 'openAiApi',
};

export const othersCredentialTypes = Object.values(CREDENTIAL_OF);

function credentialType({ type, parameters }: WorkflowNode): string | undefined {
	if (!type.startsWith('n8n-nodes-form-responses.')) return CREDENTIAL_OF[type];
	return parameters.authentication === 'apiKey' ? 'formResponsesApi' : 'formResponsesOAuth2Api';
}

/** An example names its form by title, because the ID differs from service to service. */
const formOf = ({ parameters }: WorkflowNode) =>
	parameters.formId as { value: string; cachedResultName?: string } | undefined;

function formParameter(node: WorkflowNode, forms: Form[]) {
	const locator = formOf(node);
	if (locator?.value !== '') return {};
	const form = forms.find(({ title }) => title === locator.cachedResultName);
	if (!form) throw new Error(`The service has no form "${locator.cachedResultName}".`);
	return { formId: { ...locator, value: form.id } };
}

/** Whether every node that needs a credential has one. */
export const isComplete = ({ nodes }: WorkflowDraft) =>
	nodes.every((node) => credentialType(node) === undefined || node.credentials !== undefined);

/** Sets credentials and forms, as a person does after the import; leaves missing ones open. */
export function withChoices<Draft extends WorkflowDraft>(
	draft: Draft,
	forms: Form[],
	credentials: Credentials,
): Draft {
	const nodes = draft.nodes.map((node) => {
		const type = credentialType(node);
		const { id, name } = credentials.get(type ?? '') ?? {};
		return {
			...node,
			...(type && id && name && { credentials: { [type]: { id, name } } }),
			parameters: { ...node.parameters, ...formParameter(node, forms) },
		};
	});
	return { ...draft, nodes };
}
