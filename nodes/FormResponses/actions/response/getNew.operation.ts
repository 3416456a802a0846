import { formIdField, simplifyField } from '../../fields';
import { showHint } from '../../hint';
import { toJson } from '../../output';
import { readFormId, readOutputOptions } from '../../parameters';
import { listResponses, MAX_RESPONSES } from '../../transport/endpoints';
import type { ResponseEnvelope } from '../../transport/types';
import type { Operation } from '../operation';
import { filterNew } from './returned';

export const getNew: Operation = {
	displayName: 'Get New',
	action: 'Get new responses',
	description:
		'List the responses of a form that no earlier run of this node returned, oldest first, to catch up on a schedule',
	fields: [
		formIdField,
		simplifyField,
		{
			displayName:
				'Reads the newest 25 responses. A manual run returns all of them and remembers nothing.',
			name: 'getNewNotice',
			type: 'notice',
			default: '',
		},
	],

	async execute(context, api, itemIndex) {
		const formId = readFormId(context, itemIndex);
		const outputOptions = readOutputOptions(context, itemIndex);
		const envelopes = await listResponses(api, formId, MAX_RESPONSES);
		const oldestFirst = (all: ResponseEnvelope[]) =>
			all.map((envelope) => toJson(envelope, outputOptions)).reverse();
		const isTrial = ['manual', 'evaluation'].includes(context.getMode());
		if (isTrial) return oldestFirst(envelopes);
		return async () => {
			const fresh = await filterNew(context, envelopes);
			if (fresh.length === MAX_RESPONSES) {
				const message = `All ${MAX_RESPONSES} responses that the API shows of form ${formId} were new, so older ones may be out of its reach. Unless this was the first run, run this workflow more often, or use the trigger.`;
				showHint(context, message);
			}
			return oldestFirst(fresh);
		};
	},
};
