import type {
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import { actionFields } from './actions';
import { route } from './actions/router';
import {
	answerValuesOption,
	authenticationField,
	credentialsByAuthentication,
	flattenAnswersOption,
	includeOption,
	nameAnswersByOption,
} from './fields';
import { searchForms } from './methods/listSearch';

const maxConcurrencyOption = {
	displayName: 'Max Concurrency',
	name: 'maxConcurrency',
	type: 'number' as const,
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'How many items to process at once, at most 100',
};

export class FormResponses implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Form Responses',
		name: 'formResponses',
		icon: { light: 'file:formResponses.svg', dark: 'file:formResponses.dark.svg' },
		group: ['input'],
		version: 1,
		subtitle:
			'={{ ({ get: "get", getAll: "get many", getNew: "get new", create: "create", delete: "delete" })[$parameter["operation"]] + ": " + $parameter["resource"] }}' +
			'{{ String(($parameter["formId"] && $parameter.toJSON().formId.cachedResultName) || "").replace(/^(?=.)/, ", ") }}',
		description: 'Read forms and completed responses of a form service, and manage its hooks',
		defaults: { name: 'Form Responses' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: credentialsByAuthentication,
		builderHint: {
			searchHint:
				'For each new response use the Form Responses Trigger; on a schedule use response: getNew. The API returns the newest 25 responses of a form.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-form-responses.formResponsesTrigger',
					relationHint: 'Starts the workflow for each new response',
				},
			],
		},
		properties: [
			authenticationField('Reads responses only: no list of forms and no hooks'),
			...actionFields,
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				placeholder: 'Add Option',
				default: {},
				options: [
					answerValuesOption,
					flattenAnswersOption,
					includeOption,
					maxConcurrencyOption,
					nameAnswersByOption,
				],
			},
		],
	};

	methods = { listSearch: { searchForms } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await route(this);
	}
}
