import { owner } from '../n8n/session.mts';
import type { Workflow } from '../n8n/types.mts';
import { formOf } from './example.mts';
import type { Form } from './service.mts';
import { dataFolderName } from './settings.mts';

const FORMS_SHOWN = 10;

interface Playground {
	n8nUrl: string;
	serviceUrl: string;
	forms: Form[];
	workflows: Workflow[];
}

export function summary({ n8nUrl, serviceUrl, forms, workflows }: Playground): string {
	const published = workflows.find(({ active }) => active);
	const used = published?.nodes.map(formOf).find(Boolean);
	const form = forms.find(({ id }) => id === used?.value);
	return [
		'',
		`n8n            ${n8nUrl}`,
		`  log in as    ${owner.email}   password   ${owner.password}`,
		...workflows.map(({ id, name, active }) => {
			const state = active ? ' (published)' : '';
			return `  workflow     ${n8nUrl}/workflow/${id}   ${name}${state}`;
		}),
		`Form service   ${serviceUrl}`,
		...forms
			.slice(0, FORMS_SHOWN)
			.map(({ id, title }) => `  form         ${serviceUrl}/forms/${id}   ${title}`),
		'',
		form && `Try it: fill in "${form.title}" at ${serviceUrl}/forms/${form.id}`,
		form && `see the run at ${n8nUrl}/workflow/${published?.id}/executions`,
		form && `and its row at ${n8nUrl}/home/datatables\n`,
		`Ctrl-C stops both; "npm start" goes on where you were. To start afresh, delete the folder ${dataFolderName}.`,
	]
		.filter((line) => line !== undefined)
		.join('\n');
}
