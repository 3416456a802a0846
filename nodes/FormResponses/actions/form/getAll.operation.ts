import type { IDataObject } from 'n8n-workflow';
import { asText, parseTime, readWholeNumber } from '../../parameters';
import { listForms, MAX_FORMS_PER_PAGE } from '../../transport/endpoints';
import { paginate } from '../../transport/paginate';
import type { Form } from '../../transport/types';
import type { Operation } from '../operation';

type Filters = Partial<Record<'status' | 'titleContains' | 'updatedAfter', unknown>>;

export const getAll: Operation = {
	displayName: 'Get Many',
	action: 'Get many forms',
	description: 'List the forms of the workspace, most recently updated first (not with an API key)',
	fields: [
		{
			displayName: 'Return All',
			name: 'returnAll',
			type: 'boolean',
			default: false,
			description: 'Whether to return all results or only up to a given limit',
		},
		{
			displayName: 'Limit',
			name: 'limit',
			type: 'number',
			typeOptions: { minValue: 1 },
			displayOptions: { show: { returnAll: [false] } },
			default: 50,
			description: 'Max number of results to return',
		},
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add Filter',
			default: {},
			options: [
				{
					displayName: 'Status',
					name: 'status',
					type: 'string',
					default: '',
					description: 'Only forms with this status, in the words of the form service',
				},
				{
					displayName: 'Title Contains',
					name: 'titleContains',
					type: 'string',
					default: '',
					description: 'Only forms whose title contains this text, in upper or lower case',
				},
				{
					displayName: 'Updated After',
					name: 'updatedAfter',
					type: 'dateTime',
					default: '',
					description:
						'Only forms updated after this time. Reading stops at the first older form, so this is fast.',
				},
			],
		},
	],

	async execute(context, api, itemIndex) {
		const returnAll = context.getNodeParameter('returnAll', itemIndex) === true;
		const wanted = returnAll
			? Infinity
			: readWholeNumber(context, 'limit', 'Limit', { min: 1, max: Infinity }, itemIndex);
		const filters = context.getNodeParameter('filters', itemIndex, {}) as Filters;
		const updatedAfter = parseTime(context, 'Updated After', filters.updatedAfter, itemIndex);
		const status = asText(context, 'Status', filters.status, itemIndex).toLowerCase();
		const titlePart = asText(
			context,
			'Title Contains',
			filters.titleContains,
			itemIndex,
		).toLowerCase();
		const matches = (form: Form) =>
			(status === '' || form.status.trim().toLowerCase() === status) &&
			form.title.toLowerCase().includes(titlePart);
		const isFiltered = status !== '' || titlePart !== '';

		const forms: Form[] = [];
		const pages = paginate(async (cursor) => {
			const missing = isFiltered ? MAX_FORMS_PER_PAGE : wanted - forms.length;
			const limit = Math.min(MAX_FORMS_PER_PAGE, missing);
			return await listForms(api, cursor === undefined ? { limit } : { limit, cursor });
		});
		reading: for await (const page of pages) {
			for (const form of page) {
				// The list is ordered by updatedAt, most recent first (playground/service/openapi.json, listForms).
				if (updatedAfter !== undefined && Date.parse(form.updatedAt) <= updatedAfter) break reading;
				if (!isFiltered || matches(form)) forms.push(form);
				if (forms.length >= wanted) break reading;
			}
		}
		return forms as unknown as IDataObject[];
	},
};
