import { formIdField, simplifyField } from '../../fields';
import { toJson } from '../../output';
import {
	asText,
	parseTime,
	readFormId,
	readOutputOptions,
	readWholeNumber,
} from '../../parameters';
import { listResponses, MAX_RESPONSES } from '../../transport/endpoints';
import type { ResponseEnvelope } from '../../transport/types';
import type { Operation } from '../operation';

type Filters = Partial<Record<'completedAfter' | 'completedBefore' | 'respondentEmail', unknown>>;

export const getAll: Operation = {
	displayName: 'Get Many',
	action: 'Get many responses',
	description: 'List the newest completed responses of a form, up to 25',
	fields: [
		formIdField,
		{
			displayName: 'Limit',
			name: 'responseLimit',
			type: 'number',
			typeOptions: { minValue: 1, maxValue: MAX_RESPONSES },
			default: 10,
			description:
				'Max number of results to return. The API gives no more than the newest 25 of a form; to receive every response, use the Form Responses Trigger.',
		},
		simplifyField,
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add Filter',
			default: {},
			options: [
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
			],
		},
	],

	async execute(context, api, itemIndex) {
		const formId = readFormId(context, itemIndex);
		const range = { min: 1, max: MAX_RESPONSES };
		const limit = readWholeNumber(context, 'responseLimit', 'Limit', range, itemIndex);
		const filters = context.getNodeParameter('filters', itemIndex, {}) as Filters;
		const after =
			parseTime(context, 'Completed After', filters.completedAfter, itemIndex) ?? -Infinity;
		const before =
			parseTime(context, 'Completed Before', filters.completedBefore, itemIndex) ?? Infinity;
		const email = asText(
			context,
			'Respondent Email',
			filters.respondentEmail,
			itemIndex,
		).toLowerCase();
		const outputOptions = readOutputOptions(context, itemIndex);

		const matches = ({ data }: ResponseEnvelope) => {
			const completed = Date.parse(data.completedAt);
			const isFromRespondent = String(data.respondentEmail ?? '').toLowerCase() === email;
			return completed > after && completed < before && (email === '' || isFromRespondent);
		};
		const isFiltered = after > -Infinity || before < Infinity || email !== '';
		const envelopes = await listResponses(api, formId, isFiltered ? MAX_RESPONSES : limit);
		return envelopes
			.filter(matches)
			.slice(0, limit)
			.map((envelope) => toJson(envelope, outputOptions));
	},
};
