import type { INodeProperties } from 'n8n-workflow';
import { OPERATIONS, WITHOUT_VALUE } from './onlyIfCondition';

const listOf = (searchListMethod: string) => ({
	displayName: 'From List',
	name: 'list',
	type: 'list' as const,
	typeOptions: { searchListMethod, searchable: true },
});

const typed = (displayName: string, name: string, placeholder: string) => ({
	displayName,
	name,
	type: 'string' as const,
	placeholder,
});

const questionField: INodeProperties = {
	displayName: 'Question',
	name: 'label',
	type: 'resourceLocator',
	noDataExpression: true,
	default: { mode: 'list', value: '' },
	required: true,
	description: 'The question as the respondent reads it',
	modes: [listOf('searchQuestions'), typed('By Name', 'name', 'e.g. Rating')],
};

const valueField: INodeProperties = {
	displayName: 'Value',
	name: 'value',
	type: 'resourceLocator',
	noDataExpression: true,
	displayOptions: { hide: { operation: WITHOUT_VALUE } },
	default: { mode: 'value', value: '' },
	required: true,
	description: 'What to compare the answer with. Case does not matter.',
	modes: [typed('By Value', 'value', 'e.g. Poor'), listOf('searchAnswers')],
};

export const onlyIfOption: INodeProperties = {
	displayName: 'Only If',
	name: 'onlyIf',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Condition',
	default: {},
	description: 'Run only for responses that meet the conditions. Others start no execution.',
	options: [
		{
			displayName: 'Conditions',
			name: 'conditions',
			values: [
				questionField,
				{
					displayName: 'Operation',
					name: 'operation',
					type: 'options',
					noDataExpression: true,
					options: Object.entries(OPERATIONS).map(([value, { name, description }]) => ({
						name,
						value,
						description,
					})),
					default: 'equals',
				},
				valueField,
			],
		},
	],
};

export const onlyIfMatchOption: INodeProperties = {
	displayName: 'Only If Must Match',
	name: 'onlyIfMatch',
	type: 'options',
	noDataExpression: true,
	options: [
		{ name: 'All Conditions', value: 'all' },
		{ name: 'Any Condition', value: 'any' },
	],
	default: 'all',
	description: 'How many conditions of Only If a response has to meet',
};
