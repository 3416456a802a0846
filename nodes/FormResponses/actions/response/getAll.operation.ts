import type { INodeProperties } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { formIdField, simplifyField } from '../../fields';
import { folded } from '../../transport/comparableText';
import { toJson } from '../../output';
import { readFormId, readOutputOptions, readWholeNumber } from '../../parameters';
import { listResponses, MAX_RESPONSES } from '../../transport/endpoints';
import type { ResponseEnvelope } from '../../transport/types';
import { filtersField, NO_MATCH, readFilters } from '../filters';
import { showHint } from '../../hint';
import type { Operation } from '../operation';

interface Filters {
	completedAfter: number;
	completedBefore: number;
	respondentEmail: string;
}

const filterFields: INodeProperties[] = [
	{
		displayName: 'Completed After',
		name: 'completedAfter',
		type: 'dateTime',
		default: '',
		description: 'Only responses completed after this time',
	},
	{
		displayName: 'Completed Before',
		name: 'completedBefore',
		type: 'dateTime',
		default: '',
		description: 'Only responses completed before this time',
	},
	{
		displayName: 'Respondent Email',
		name: 'respondentEmail',
		type: 'string',
		placeholder: 'e.g. nathan@example.com',
		default: '',
		description: 'Only responses of the respondent with this email address',
	},
];

const OUT_OF_REACH = `The API shows the newest ${MAX_RESPONSES} responses of a form. Older ones, if any, are out of its reach. To run a workflow for every response, use the Form Responses Trigger.`;

const limitRange = { min: 1, max: MAX_RESPONSES, reason: ', the most the API gives' };

export const getAll: Operation = {
	displayName: 'Get Many',
	action: 'Get many responses',
	description: 'List the newest responses of a form, up to 25',
	fields: [
		formIdField,
		{
			displayName: 'Limit',
			name: 'responseLimit',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 10,
			description:
				'Max number of results to return. The API returns at most 25 responses per form.',
		},
		simplifyField,
		filtersField(filterFields),
	],

	async execute(context, api, itemIndex) {
		const formId = readFormId(context, itemIndex);
		const limit = readWholeNumber(context, 'responseLimit', 'Limit', limitRange, itemIndex);
		const filters = readFilters<Filters>(context, filterFields, itemIndex);
		const outputOptions = readOutputOptions(context, itemIndex);
		const { completedAfter = -Infinity, completedBefore = Infinity, respondentEmail } = filters;
		if (completedAfter > completedBefore) {
			const message = 'The filter "Completed After" is later than "Completed Before".';
			throw new NodeOperationError(context.getNode(), message, { itemIndex });
		}

		const isFiltered = Object.keys(filters).length > 0;
		const envelopes = await listResponses(api, formId, isFiltered ? MAX_RESPONSES : limit);
		const isLater = ({ data }: ResponseEnvelope) => Date.parse(data.completedAt) > completedAfter;
		if (envelopes.length === MAX_RESPONSES && envelopes.every(isLater)) {
			showHint(context, OUT_OF_REACH);
		}
		const found = envelopes
			.filter(isLater)
			.filter(({ data }) => Date.parse(data.completedAt) < completedBefore)
			.filter(({ data }) => [undefined, folded(data.respondentEmail)].includes(respondentEmail));
		if (envelopes.length > 0 && found.length === 0) showHint(context, NO_MATCH);
		return found.slice(0, limit).map((envelope) => toJson(envelope, outputOptions));
	},
};
