import { owner } from '../n8n/owner.mts';
import type { Workflow } from '../n8n/types.mts';
import type { Form } from './forms.mts';
import { dataFolderName } from './settings.mts';

const formsShown = 10;

export interface Playground {
	n8nUrl: string;
	serviceUrl: string;
	forms: Form[];
	workflows: Workflow[];
}

export function summary({ n8nUrl, serviceUrl, forms, workflows }: Playground): string {
	const published = workflows.find(({ active }) => active);
	const usedForm = published?.nodes
		.map(({ parameters }) => (parameters.formId as { value?: string } | undefined)?.value)
		.find(Boolean);
	const form = forms.find(({ id }) => id === usedForm);
	const lines = [
		'',
		`n8n            ${n8nUrl}`,
		`  log in as    ${owner.email}   password   ${owner.password}`,
		...workflows.map(
			({ id, name, active }) =>
				`  workflow     ${n8nUrl}/workflow/${id}   ${name}${active ? ' (published)' : ''}`,
		),
		`Form service   ${serviceUrl}`,
		...forms
			.slice(0, formsShown)
			.map(({ id, title }) => `  form         ${serviceUrl}/forms/${id}   ${title}`),
		'',
		...(published && form
			? [
					`Try it: fill in "${form.title}" at ${serviceUrl}/forms/${form.id}`,
					`see the run at ${n8nUrl}/workflow/${published.id}/executions`,
					`and its row at ${n8nUrl}/home/datatables`,
					'',
				]
			: []),
		`Ctrl-C stops both; "npm start" goes on where you were. To start afresh, delete the folder ${dataFolderName}.`,
	];
	return lines.join('\n');
}
