import type { N8nInstance } from '../n8n/instance.mts';
import type { Workflow } from '../n8n/types.mts';
import { formOf } from './example.mts';
import type { Form } from './service.mts';
import { dataFolderName } from './settings.mts';

const FORMS_SHOWN = 10;

interface Playground {
	n8n: Pick<N8nInstance, 'url' | 'account'>;
	serviceUrl: string;
	forms: Form[];
	workflows: Workflow[];
}

/** What to try: the first workflow that runs by itself, and the form that it is for. */
function proposal({ n8n, serviceUrl, forms, workflows }: Playground): string {
	const published = workflows.find(({ active }) => active);
	const used = published?.nodes.map(formOf).find(Boolean);
	const form = forms.find(({ id }) => id === used?.value);
	if (!published || !form) return '';
	return `
Try it: fill in "${form.title}" at ${serviceUrl}/forms/${form.id}
see the run at ${n8n.url}/workflow/${published.id}/executions
and its row at ${n8n.url}/home/datatables
`;
}

export function summary(playground: Playground): string {
	const { n8n, serviceUrl, forms, workflows } = playground;
	const shownWorkflows = workflows.map(
		({ id, name, active }) =>
			`  workflow     ${n8n.url}/workflow/${id}   ${name}${active ? ' (published)' : ''}`,
	);
	const shownForms = forms
		.slice(0, FORMS_SHOWN)
		.map(({ id, title }) => `  form         ${serviceUrl}/forms/${id}   ${title}`);
	return `
n8n            ${n8n.url}
  log in as    ${n8n.account.email}   password   ${n8n.account.password}
${shownWorkflows.join('\n')}
Form service   ${serviceUrl}
${shownForms.join('\n')}
${proposal(playground)}
Ctrl-C stops both; "npm start" goes on where you were. To start afresh, delete the folder ${dataFolderName}.`;
}
