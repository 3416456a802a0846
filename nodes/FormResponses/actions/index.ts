import type { INodeProperties } from 'n8n-workflow';
import { account } from './account';
import { form } from './form';
import { hook } from './hook';
import type { Operation, Resource } from './operation';
import { response } from './response';

/** The keys are saved in workflows; their order is the order in the editor. */
const resources: Record<string, Resource> = { account, form, hook, response };

/** Undefined for unknown names, as in an imported workflow. */
export function findOperation(resource: string, operation: string): Operation | undefined {
	if (!Object.hasOwn(resources, resource)) return undefined;
	const { operations } = resources[resource];
	return Object.hasOwn(operations, operation) ? operations[operation] : undefined;
}

function operationField(
	resource: string,
	{ operations, defaultOperation }: Resource,
): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [resource] } },
		options: Object.entries(operations).map(
			([value, { displayName: name, action, description }]) => ({
				name,
				value,
				action,
				description,
			}),
		),
		default: defaultOperation,
	};
}

const fieldsOf = (resource: string, operation: string, { fields }: Operation): INodeProperties[] =>
	fields.map((field) => ({
		...field,
		displayOptions: {
			...field.displayOptions,
			show: { ...field.displayOptions?.show, resource: [resource], operation: [operation] },
		},
	}));

const apiKeyNotice: INodeProperties = {
	displayName:
		'An API key can only read responses. To read forms or manage hooks, use an OAuth2 credential.',
	name: 'apiKeyNotice',
	type: 'notice',
	default: '',
	displayOptions: {
		show: {
			authentication: ['apiKey'],
			resource: Object.keys(resources).filter((name) => resources[name].needsOAuth2),
		},
	},
};

export const actionFields: INodeProperties[] = [
	{
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: Object.entries(resources).map(([value, { displayName: name }]) => ({ name, value })),
		default: 'response',
	},
	apiKeyNotice,
	...Object.entries(resources).flatMap(([resource, one]) => [
		operationField(resource, one),
		...Object.entries(one.operations).flatMap(([name, operation]) =>
			fieldsOf(resource, name, operation),
		),
	]),
];
