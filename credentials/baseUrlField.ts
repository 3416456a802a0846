import type { INodeProperties } from 'n8n-workflow';

export const baseUrlField: INodeProperties = {
	displayName: 'Base URL',
	name: 'baseUrl',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. https://forms.example.com/api/v1',
	description: 'The address of the API: http or https, ending in /api/v1',
};
