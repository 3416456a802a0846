import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { folded } from '../../transport/folded';
import { readBoolean, readWholeNumber } from '../../parameters';
import { MAX_FORMS_PER_PAGE } from '../../transport/endpoints';
import { formPages } from '../../transport/formPages';
import type { Form } from '../../transport/types';
import { filtersField, readFilters } from '../filters';
import { showHint } from '../hint';
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
function hintAtStatuses(context: IExecuteFunctions, wanted: string, statuses: Set<string>) {
	const known = [...statuses];
	if (known.length === 0 || known.some((one) => folded(one) === wanted)) return;
	const message = `No form has the status "${wanted}". The forms that were read have: ${known.join(', ')}.`;
	showHint(context, 'status', message);
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
		const isTitled = (form: Form) => folded(form.title).includes(titleContains ?? '');
		const matches = (form: Form) =>
			(updatedAfter === undefined || Date.parse(form.updatedAt) > updatedAfter) &&
			(status === undefined || folded(form.status) === status) &&
			isTitled(form);
		const isFiltered = status !== undefined || titleContains !== undefined;

		const forms: Form[] = [];
		const statuses = new Set<string>();
		let titled: boolean | undefined;
		const limit = () => Math.min(MAX_FORMS_PER_PAGE, isFiltered ? Infinity : wanted - forms.length);
		reading: for await (const { data } of formPages(api, limit)) {
			for (const form of data) {
				// The API orders forms by updatedAt, most recent first (playground/service/openapi.yaml, listForms).
				if (isOld(form)) break reading;
				if (form.status) statuses.add(form.status);
				titled ||= isTitled(form);
				if (matches(form)) forms.push(form);
				if (forms.length >= wanted) break reading;
			}
		}
		if (status !== undefined) hintAtStatuses(context, status, statuses);
		if (titled === false) {
			const message = `None of the forms that were read has "${titleContains}" in its title.`;
			showHint(context, 'titleContains', message);
		}
		return forms as unknown as IDataObject[];
	},
};
