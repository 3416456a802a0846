import { formIdField, simplifyField } from '../../fields';
import { toJson } from '../../output';
import { readFormId, readOutputOptions } from '../../parameters';
import { responseKey } from '../../responseKey';
import { tryToRecord } from '../../deduplication';
import { listResponses, MAX_RESPONSES } from '../../transport/endpoints';
import type { Operation } from '../operation';
import { showFor } from '../operation';

/** Enough for 400 forms read by one node, of which each shows its newest 25. */
const REMEMBERED = 10_000;

export const getNew: Operation = {
	description: showFor(
		'response',
		['getNew'],
		[
			formIdField,
			simplifyField,
			{
				displayName:
					'Returns what is new among the newest 25 responses since this node last ran in production. A manual run returns all of them and remembers nothing.',
				name: 'getNewNotice',
				type: 'notice',
				default: '',
			},
		],
	),

	async execute(context, api, itemIndex) {
		const formId = readFormId(context, itemIndex);
		const outputOptions = readOutputOptions(context, itemIndex);
		const envelopes = await listResponses(api, formId, MAX_RESPONSES);
		const isManual = context.getMode() === 'manual';
		const recorded = isManual
			? undefined
			: await tryToRecord(context, envelopes.map(responseKey), REMEMBERED);
		const fresh = envelopes.filter((envelope) => recorded?.has(responseKey(envelope)) ?? true);
		if (!isManual && fresh.length === MAX_RESPONSES) {
			context.addExecutionHints({
				message: `All ${MAX_RESPONSES} responses that the API shows of form ${formId} were new, so there may be older ones out of its reach. Run this workflow more often, or use the Form Responses Trigger.`,
				location: 'outputPane',
			});
		}
		return fresh.map((envelope) => toJson(envelope, outputOptions));
	},
};
