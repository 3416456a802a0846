import { relative } from 'node:path';
import { packageRoot } from '../n8n/build.mts';
import { owner } from '../n8n/session.mts';
import type { Workflow, WorkflowNode } from '../n8n/types.mts';
import { credentialDrafts, pageLogin } from './credentials.mts';
import type { Form } from './service.mts';
import { dataFolderName } from './settings.mts';

const FORMS_SHOWN = 10;

/** A respondent of the form service's samples. */
const SAMPLE = 'ada.archer@example.com';

interface Playground {
	n8nUrl: string;
	n8nLog: string;
	serviceUrl: string;
	mailUrl: string;
	forms: Form[];
	workflows: Array<
		Pick<Workflow, 'id' | 'name' | 'active'> & {
			nodes: Array<Pick<WorkflowNode, 'type' | 'webhookId'>>;
		}
	>;
}

/** What to enter, by the label of the field. */
function credentialFields(serviceUrl: string) {
	const drafts = credentialDrafts(serviceUrl).map(({ data }) => data);
	const { baseUrl, apiKey, authUrl, accessTokenUrl, clientId, clientSecret } = Object.assign(
		{},
		...drafts,
	) as Record<string, string>;
	return {
		'Base URL': baseUrl,
		'API Key': apiKey,
		'Authorization URL': authUrl,
		'Access Token URL': accessTokenUrl,
		'Client ID': clientId,
		'Client Secret': clientSecret,
	};
}

/** The page of the example "Look up a respondent", if it is there. */
function lookUp({ n8nUrl, workflows }: Playground) {
	const nodes = workflows.filter(({ active }) => active).flatMap((workflow) => workflow.nodes);
	const page = nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger');
	return page
		? [
				`Look up ${SAMPLE} at ${n8nUrl}/form/${page.webhookId} (user ${pageLogin.user}, password ${pageLogin.password})`,
			]
		: [];
}

function thingsToTry(playground: Playground) {
	const { n8nUrl, serviceUrl, mailUrl, forms, workflows } = playground;
	const form = (title: string) => {
		const found = forms.find((one) => one.title === title);
		return found ? `${serviceUrl}/forms/${found.id}` : serviceUrl;
	};
	const [table] = workflows;
	const runs = table ? `${n8nUrl}/workflow/${table.id}/executions` : n8nUrl;
	return [
		`Fill in ${form('Contact')} and see the run at ${runs}`,
		`Rate something as poor at ${form('Feedback')} and read the e-mail at ${mailUrl}`,
		...lookUp(playground),
		`Build your own: ${n8nUrl}/workflow/new with a Form Responses Trigger`,
	];
}

export function summary(playground: Playground): string {
	const { n8nUrl, n8nLog, serviceUrl, mailUrl, forms, workflows } = playground;
	return [
		'',
		`n8n            ${n8nUrl}`,
		`  log in as    ${owner.email}   password   ${owner.password}`,
		`  log          ${relative(packageRoot, n8nLog)}`,
		...workflows.map(
			({ id, name, active }) =>
				`  workflow     ${n8nUrl}/workflow/${id}   ${name}${active ? '' : ' (not published)'}`,
		),
		`Form service   ${serviceUrl}`,
		...forms
			.slice(0, FORMS_SHOWN)
			.map(({ id, title }) => `  form         ${serviceUrl}/forms/${id}   ${title}`),
		`Mail           ${mailUrl}`,
		'',
		'To create a credential of your own:',
		...Object.entries(credentialFields(serviceUrl)).map(
			([field, value]) => `  ${field.padEnd(19)}${value}`,
		),
		'',
		'Try it:',
		...thingsToTry(playground).map((text, index) => `  ${index + 1}. ${text}`),
		'',
		`Ctrl-C stops everything; "npm start" continues where you left off. To start afresh, delete the folder ${dataFolderName}.`,
	].join('\n');
}
