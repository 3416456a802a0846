import type {
	IExecuteFunctions,
	IHookFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
	ITriggerFunctions,
	ITriggerResponse,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { NodeConnectionTypes } from 'n8n-workflow';
import {
	answerValuesOption,
	authenticationField,
	credentialsByAuthentication,
	flattenAnswersOption,
	includeOption,
	nameAnswersByOption,
	simplifyField,
	triggerFormIdField,
} from './fields';
import { searchForms } from './methods/listSearch';
import { receive } from './trigger/receive/receive';
import { recover } from './trigger/recover/recover';
import { execute } from './trigger/run/execute';
import { subscribe, unsubscribe } from './trigger/subscribe/subscription';

const RUNS_BY_ITSELF =
	'It then runs by itself for every completed response: with OAuth2 at once, with an API key when it next looks for new ones.';

export class FormResponsesTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Form Responses Trigger',
		name: 'formResponsesTrigger',
		icon: { light: 'file:formResponses.svg', dark: 'file:formResponses.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle:
			'={{ ($parameter["authentication"] === "apiKey" ? "every " + $parameter["pollInterval"] + " min" : "new response") }}' +
			'{{ String(($parameter["formId"] && $parameter.toJSON().formId.cachedResultName) || "").replace(/^(?=.)/, ", ") }}',
		description: 'Starts the workflow when a response to a form is completed',
		defaults: { name: 'Form Responses Trigger' },
		eventTriggerDescription: 'Waiting for the form to be filled in',
		activationMessage: 'The workflow now runs for every completed response to the form.',
		triggerPanel: {
			header: 'Try it with a response',
			executionsHelp: {
				inactive: `<b>While you build your workflow</b>, press the button and then fill in the form within two minutes. The response shows up here. With an API key, or if <b>Test With</b> is <b>Latest Response</b>, you see the newest response at once.<br /><br /><b>When your workflow is ready</b>, publish it. ${RUNS_BY_ITSELF} These runs show up in the executions list, but not here.`,
				active: `<b>While you go on building</b>, press the button and then fill in the form within two minutes. The response shows up here, and the published workflow runs with it as well.<br /><br /><b>Your workflow is published.</b> ${RUNS_BY_ITSELF} These runs show up in the <a data-key="executions">executions list</a>, but not here.`,
			},
			activationHint: {
				inactive:
					'When your workflow is ready, publish it: then it runs for every completed response, and nobody has to press this button.',
				active: 'The published workflow runs for every completed response, without this button.',
			},
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: credentialsByAuthentication,
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				path: 'webhook',
				// The URL is useless without the key of the subscription.
				ndvHideUrl: true,
			},
		],
		properties: [
			authenticationField(
				'Can read responses only: no list of forms, and the node looks for new responses every few minutes',
			),
			triggerFormIdField,
			{
				displayName: 'Poll Interval (Minutes)',
				name: 'pollInterval',
				type: 'number',
				typeOptions: { minValue: 1 },
				displayOptions: { show: { authentication: ['apiKey'] } },
				default: 5,
				description: 'How often to look for new responses',
			},
			{
				displayName:
					'With an API key, n8n looks for new responses instead of being told of them. The API shows the newest 25 of a form: choose an interval in which no more come, or OAuth2, with which the workflow runs at once.',
				name: 'pollingNotice',
				type: 'notice',
				displayOptions: { show: { authentication: ['apiKey'] } },
				default: '',
			},
			{
				displayName: 'Test With',
				name: 'testWith',
				type: 'options',
				displayOptions: { show: { authentication: ['oAuth2'] } },
				options: [
					{
						name: 'Latest Response',
						value: 'latest',
						description: 'Show the newest response at once, as real sample data',
					},
					{
						name: 'New Response',
						value: 'new',
						description: 'Wait for the form to be filled in',
					},
				],
				default: 'new',
				description:
					'What listening for a test event shows. With an API key, always the latest response.',
			},
			simplifyField,
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				placeholder: 'Add Option',
				default: {},
				options: [
					answerValuesOption,
					{
						displayName: 'Existing Responses',
						name: 'existing',
						type: 'boolean',
						default: false,
						description:
							'Whether to also run the newest 25 responses that are there when the workflow is first published',
					},
					flattenAnswersOption,
					includeOption,
					nameAnswersByOption,
					{
						displayName: 'Skip Duplicates',
						name: 'skipDuplicates',
						type: 'boolean',
						default: true,
						description:
							'Whether to drop a response that this node already processed, for example because it was delivered twice',
					},
					{
						displayName: 'Verify Deliveries',
						name: 'verifyDeliveries',
						type: 'boolean',
						default: false,
						description:
							'Whether to fetch each delivered response from the form service again before the workflow runs with it',
					},
					{
						displayName: 'While Unpublished',
						name: 'whileInactive',
						type: 'options',
						options: [
							{
								name: 'Process',
								value: 'process',
								description: 'Run with them, as far as they are among the newest 25',
							},
							{ name: 'Skip', value: 'skip', description: 'Start with the next response' },
						],
						default: 'skip',
						description:
							'What to do, when the workflow is published again, with responses that were completed while it was not',
					},
				],
			},
		],
	};

	methods = { listSearch: { searchForms } };

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				// The API cannot list hooks, so a stored ID may belong to a deleted hook: always subscribe.
				return false;
			},
			async create(this: IHookFunctions): Promise<boolean> {
				return await subscribe(this);
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return await unsubscribe(this);
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receive(this);
	}

	async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
		return await recover(this);
	}

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute(this);
	}
}
