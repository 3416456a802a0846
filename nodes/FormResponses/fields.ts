import type {
	INodeCredentialDescription,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';
import { DEFAULT_PARTS } from './output';
import { EXAMPLE_ID, UUID } from './transport/shapes';

/** The UUID after a form's name, as in `/forms/view/…` or `formId=…`; otherwise the last one, as a workspace's stands first. */
export const FORM_IN_URL = `^(?:.*\\b(?:[Ff]orms?(?:_?[Ii]d)?|f)[/=][^?#&]*?|.*)(${UUID})`;

/** n8n requires exactly this parameter name. */
export const authenticationField = (apiKeyDescription: string): INodeProperties => ({
	displayName: 'Authentication',
	name: 'authentication',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'API Key', value: 'apiKey', description: apiKeyDescription },
		{
			name: 'OAuth2',
			value: 'oAuth2',
			description: 'Acts as a user of the workspace, with the scopes it was given',
		},
	],
	default: 'oAuth2',
	builderHint: {
		propertyHint: 'Use oAuth2 unless the user has only an API key, which cannot list forms',
	},
});

export const credentialsByAuthentication: INodeCredentialDescription[] = [
	{
		name: 'formResponsesOAuth2Api',
		required: true,
		displayOptions: { show: { authentication: ['oAuth2'] } },
	},
	{
		name: 'formResponsesApi',
		required: true,
		displayOptions: { show: { authentication: ['apiKey'] } },
	},
];

/**
 * Without n8n's `validation`: before every run n8n tries that again, and fails the run if a regular expression takes
 * longer than 250 ms, as on a busy machine (n8n-workflow, safe-regex.ts). The node checks the value when it reads it.
 */
export const formIdField: INodeProperties = {
	displayName: 'Form',
	name: 'formId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The form to get responses from',
	builderHint: {
		propertyHint: 'Take the ID (a UUID) from searchForms, or leave it empty for the user to choose',
	},
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a form...',
			typeOptions: { searchListMethod: 'searchForms', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: `e.g. ${EXAMPLE_ID}`,
		},
		{
			displayName: 'By URL',
			name: 'url',
			type: 'string',
			placeholder: `e.g. https://forms.example.com/forms/${EXAMPLE_ID}`,
			extractValue: { type: 'regex', regex: FORM_IN_URL },
		},
	],
};

export const idField = (
	displayName: string,
	name: string,
	description: string,
): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	required: true,
	default: '',
	placeholder: `e.g. ${EXAMPLE_ID}`,
	description,
});

export const simplifyField: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

const answerKeys: INodePropertyOptions[] = [
	{
		name: 'Column Name',
		value: 'columnName',
		description: 'Such as full_name, for tables and databases',
	},
	{ name: 'Field ID', value: 'fieldId', description: 'Stays the same when a question is reworded' },
	{ name: 'Label', value: 'label', description: 'The question as the respondent reads it' },
];

const answerValues: INodePropertyOptions[] = [
	{
		name: 'Raw Value',
		value: 'rawValue',
		description: 'The value as stored, with its type',
	},
	{ name: 'Value', value: 'value', description: 'The value as text' },
];

/** All but what the trigger alone has. */
const includedParts: INodePropertyOptions[] = [
	{ name: 'Answer Types', value: 'answerTypes', description: 'The type of each answer' },
	{ name: 'Completed At', value: 'completedAt' },
	{ name: 'Created At', value: 'createdAt', description: 'When the service created it' },
	{ name: 'Fields', value: 'fields', description: 'Texts by name, as the service sends them' },
	{ name: 'Form ID', value: 'formId' },
	{ name: 'Form Title', value: 'formTitle' },
	{ name: 'Hidden Fields', value: 'hiddenFields' },
	{ name: 'Metadata', value: 'metadata', description: 'As the service sends it' },
	{ name: 'Respondent Email', value: 'respondentEmail' },
	{ name: 'Response ID', value: 'responseId' },
	{
		name: 'Summary',
		value: 'summary',
		description: 'All answers as one text, for an email, a chat message or a prompt',
	},
];

const warning: INodePropertyOptions = {
	name: 'Warning',
	value: 'warning',
	description: 'Says when older responses may be lost. Without it, a failed execution says so.',
};

const displayOptions = { show: { '/simplify': [true] } };

export const answerValuesOption: INodeProperties = {
	displayName: 'Answer Values',
	name: 'answerValues',
	displayOptions,
	type: 'options',
	options: answerValues,
	default: 'value',
	description: 'Which value of each answer to return',
};

export const flattenAnswersOption: INodeProperties = {
	displayName: 'Flatten Answers',
	name: 'flattenAnswers',
	displayOptions,
	type: 'boolean',
	default: false,
	description:
		'Whether to make each answer and hidden field a field of the item, where tables expect it',
};

export const includeOption: INodeProperties = {
	displayName: 'Include',
	name: 'include',
	displayOptions,
	type: 'multiOptions',
	options: includedParts,
	default: [...DEFAULT_PARTS.filter((part) => part !== 'warning')],
	description: 'What each item carries besides the answers',
};

export const triggerIncludeOption: INodeProperties = {
	...includeOption,
	options: [...includedParts, warning],
	default: [...DEFAULT_PARTS],
};

export const nameAnswersByOption: INodeProperties = {
	displayName: 'Name Answers By',
	name: 'answerKeys',
	displayOptions,
	type: 'options',
	options: answerKeys,
	default: 'label',
	description: 'What to name each answer by. A repeated name is numbered.',
};
