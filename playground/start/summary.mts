import { owner } from '../n8n/session.mts';
import type { Workflow } from '../n8n/types.mts';
import { dataFolderName } from './settings.mts';
import type { Form } from './service.mts';

const FORMS_SHOWN = 10;

interface Playground {
	n8nUrl: string;
	serviceUrl: string;
	mailUrl: string;
	forms: Form[];
	workflows: Workflow[];
}

export function summary({ n8nUrl, serviceUrl, mailUrl, forms, workflows }: Playground): string {
	const shown = forms.slice(0, FORMS_SHOWN);
	const urlOf = (form: Form) => `${serviceUrl}/forms/${form.id}`;
	const form = (title: string) => {
		const found = forms.find((one) => one.title === title);
		return found ? urlOf(found) : serviceUrl;
	};
	const [table] = workflows;
	const runs = table ? `${n8nUrl}/workflow/${table.id}/executions` : n8nUrl;
	return [
		'',
		`n8n            ${n8nUrl}`,
		`  log in as    ${owner.email}   password   ${owner.password}`,
		...workflows.map(
			({ id, name, active }) =>
				`  workflow     ${n8nUrl}/workflow/${id}   ${name}${active ? '' : ' (not published)'}`,
		),
		`Form service   ${serviceUrl}`,
		...shown.map((one) => `  form         ${urlOf(one)}   ${one.title}`),
		`Mail           ${mailUrl}`,
		'',
		'Try it:',
		`  1. Fill in ${form('Contact')} and see the run at ${runs}`,
		`  2. Rate something as poor at ${form('Feedback')} and read the e-mail at ${mailUrl}`,
		`  3. Build your own: ${n8nUrl}/workflow/new with a Form Responses Trigger`,
		'',
		`Ctrl-C stops all; "npm start" continues where you were. To start afresh, delete the folder ${dataFolderName}.`,
	].join('\n');
}
