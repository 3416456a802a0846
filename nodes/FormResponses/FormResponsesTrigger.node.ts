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
	formIdField,
	nameAnswersByOption,
	simplifyField,
	triggerIncludeOption,
} from './fields';
import { searchAnswers, searchQuestions } from './methods/answerSearch';
import { searchForms } from './methods/listSearch';
import { onlyIfMatchOption, onlyIfOption } from './trigger/onlyIfFields';
import { receive } from './trigger/receive/receive';
import { recover } from './trigger/recover/recover';
import { execute } from './trigger/run/execute';
import { memoryOf } from './trigger/state/memory';
import { resumes, subscribe, unsubscribe } from './trigger/subscribe/subscription';

const ONCE_PUBLISHED =
	'Once published, the workflow runs for each new response: at once with OAuth2, at the next poll with an API key.';
const TO_TEST =
	'<b>To test</b>, click <b>Execute step</b>, then submit the form within two minutes. The response appears here. With an API key or <b>Latest Response</b>, the newest response appears at once.';

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
		// n8n's panel of nodes shows it for both nodes.
		description: 'Start a workflow for each completed response to a form, or read responses',
		defaults: { name: 'Form Responses Trigger' },
		eventTriggerDescription: 'Waiting for you to submit the form',
		// n8n shows one text, whatever the parameters.
		activationMessage:
			'The workflow now runs for each new response: at once with OAuth2, within one Poll Interval with an API key.',
		triggerPanel: {
			header: 'Test with a response',
			executionsHelp: {
				inactive: `${TO_TEST}<br /><br /><b>When your workflow is ready</b>, publish it. ${ONCE_PUBLISHED} You find these runs in the executions list, not here.`,
				active: `${TO_TEST} The published workflow runs for it too.<br /><br />${ONCE_PUBLISHED} You find these runs in the <a data-key="executions">executions list</a>, not here.`,
			},
			activationHint: {
				inactive: 'Once published, the workflow runs for each new response, without this button.',
				active: 'The published workflow runs for each new response, without this button.',
			},
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: credentialsByAuthentication,
		builderHint: {
			searchHint:
				'Runs for each completed response of a form; needs no Webhook or Schedule Trigger. Read an answer with {{ $json.answers["Question"] }}, or with options.flattenAnswers {{ $json["Question"] }}.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-form-responses.formResponses',
					relationHint: 'Reads forms and earlier responses',
				},
			],
		},
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				// Otherwise n8n ignores what the node answers (n8n, webhook-helpers.ts).
				responseData: '',
				path: 'webhook',
				// The URL is useless without the key of the subscription.
				ndvHideUrl: true,
			},
		],
		properties: [
			authenticationField(
				'Reads responses only: no list of forms, and n8n polls for new responses',
			),
			formIdField,
			{
				// n8n's panel of nodes calls the trigger by the action of its event (n8n-editor-ui, useActionsGeneration.ts).
				displayName: 'Event',
				name: 'event',
				type: 'hidden',
				options: [
					{
						name: 'Response Completed',
						value: 'response.completed',
						action: 'On response completed',
					},
				],
				default: 'response.completed',
			},
			{
				displayName: 'Poll Interval (Minutes)',
				name: 'pollInterval',
				type: 'number',
				typeOptions: { minValue: 1 },
				displayOptions: { show: { authentication: ['apiKey'] } },
				default: 5,
				description: 'How often to poll for new responses',
			},
			{
				displayName:
					'With an API key, n8n polls for new responses. Poll often enough that no more than 25 arrive between polls, or use OAuth2.',
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
						description: 'Show the newest response at once',
					},
					{
						name: 'New Response',
						value: 'new',
						description: 'Wait until you submit the form',
					},
				],
				default: 'new',
				builderHint: { propertyHint: 'Use latest for sample data; new waits for a person' },
				description: 'Which response to test with. With an API key, always the latest.',
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
							'Whether to also run for the newest 25 responses that exist when you first publish the workflow',
					},
					flattenAnswersOption,
					triggerIncludeOption,
					nameAnswersByOption,
					onlyIfOption,
					onlyIfMatchOption,
					{
						displayName: 'Skip Duplicates',
						name: 'skipDuplicates',
						type: 'boolean',
						default: true,
						description: 'Whether to drop a response that this node already ran',
					},
					{
						displayName: 'Verify Deliveries',
						name: 'verifyDeliveries',
						type: 'boolean',
						default: false,
						description: 'Whether to fetch each delivered response again before the workflow runs',
					},
					{
						displayName: 'While Unpublished',
						name: 'whileInactive',
						type: 'options',
						options: [
							{
								name: 'Process',
								value: 'process',
								description: 'Run for those among the newest 25',
							},
							{ name: 'Skip', value: 'skip', description: 'Start with the next response' },
						],
						default: 'skip',
						description:
							'What to do, when you publish again, with responses completed while the workflow was unpublished',
					},
				],
			},
		],
	};

	methods = { listSearch: { searchForms, searchQuestions, searchAnswers } };

	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return await resumes(this, memoryOf(this));
			},
			async create(this: IHookFunctions): Promise<boolean> {
				return await subscribe(this, memoryOf(this));
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return await unsubscribe(this, memoryOf(this));
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receive(this, memoryOf(this));
	}

	async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
		return await recover(this, memoryOf(this));
	}

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute(this, memoryOf(this));
	}
}
