import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { folded } from '../../transport/comparableText';
import { readBoolean, readWholeNumber } from '../../parameters';
import { MAX_FORMS_PER_PAGE } from '../../transport/endpoints';
import { formPages } from '../../transport/formPages';
import type { Form } from '../../transport/types';
import { filtersField, NO_MATCH, readFilters } from '../filters';
import { showHint } from '../../hint';
import type { Operation } from '../operation';

interface Filters {
	status: string;
	titleContains: string;
	updatedAfter: number;
}

const filterFields: INodeProperties[] = [
	{
		displayName: 'Status',
		name: 'status',
		type: 'string',
		default: '',
		description: 'Only forms with this status, as the form service calls it',
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
		description: 'Only forms updated after this time',
	},
];

/** The API does not say which statuses there are. */
function noMatch({ status: wanted, updatedAfter }: Partial<Filters>, statuses: Set<string>) {
	const known = [...statuses];
	const isKnown = known.some((one) => folded(one) === wanted);
	if (wanted === undefined || updatedAfter !== undefined || isKnown) return NO_MATCH;
	return `No form has the status "${wanted}". The forms that were read have: ${known.join(', ')}.`;
}

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
		filtersField(filterFields),
	],

	async execute(context, api, itemIndex) {
		const wanted = readBoolean(context, 'returnAll', 'Return All', itemIndex)
			? Infinity
			: readWholeNumber(context, 'limit', 'Limit', { min: 1, max: Infinity }, itemIndex);
		const filters = readFilters<Filters>(context, filterFields, itemIndex);
		const { status, titleContains, updatedAfter } = filters;
		const isOld = ({ updatedAt }: Form) => Date.parse(updatedAt) <= (updatedAfter ?? -Infinity);
		const matches = (form: Form) =>
			(updatedAfter === undefined || Date.parse(form.updatedAt) > updatedAfter) &&
			(status === undefined || folded(form.status) === status) &&
			(titleContains === undefined || folded(form.title).includes(titleContains));
		const isFiltered = status !== undefined || titleContains !== undefined;

		const forms: Form[] = [];
		const statuses = new Set<string>();
		let count = 0;
		const limit = () => Math.min(MAX_FORMS_PER_PAGE, isFiltered ? Infinity : wanted - forms.length);
		reading: for await (const { data } of formPages(api, limit)) {
			for (const form of data) {
				count++;
				// The API orders forms by updatedAt, most recent first (playground/service/openapi.yaml, listForms).
				if (isOld(form)) break reading;
				if (form.status) statuses.add(form.status);
				if (matches(form)) forms.push(form);
				if (forms.length >= wanted) break reading;
			}
		}
		if (count > 0 && forms.length === 0) showHint(context, noMatch(filters, statuses));
		return forms as unknown as IDataObject[];
	},
};
