import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { isBlank, picked, readAuthentication, readFormId } from '../parameters';
import { connect } from '../transport/connect';
import { listResponses, MAX_RESPONSES } from '../transport/endpoints';
import { plainError } from '../transport/errors';
import { folded } from '../transport/folded';
import type { Answer, ResponseEnvelope } from '../transport/types';
import { answersOf, answersTo } from '../trigger/condition';
import { WAIT_MS } from './listSearch';

/**
 * Loads each text once that is in the newest responses of the chosen form.
 *
 * @throws NodeOperationError if there is none, as an empty list does not say why
 */
async function load(
	context: ILoadOptionsFunctions,
	filter: string,
	textsIn: (response: ResponseEnvelope) => unknown[],
	none: string,
): Promise<INodeListSearchResult> {
	const formId = readFormId(context);
	const authentication = readAuthentication(context);
	const api = await connect(context, { authentication, withinMs: WAIT_MS });
	const responses = await listResponses(api, formId, MAX_RESPONSES);
	const texts = new Set(
		responses
			.flatMap(textsIn)
			.filter((text) => !isBlank(text))
			.map(String),
	);
	if (texts.size === 0) throw plainError(context.getNode(), none);
	const found = [...texts].filter((text) => folded(text).includes(folded(filter)));
	return { results: found.map((text) => ({ name: text, value: text })) };
}

export async function searchQuestions(this: ILoadOptionsFunctions, filter = '') {
	const none = 'This form has no completed response yet. Choose "By Name" and enter the question.';
	return await load(this, filter, (one) => answersOf(one).map((answer) => answer?.label), none);
}

/** As text, and each of several choices. */
const textsOf = (answer: Answer | null): unknown[] => {
	const { value, rawValue }: Partial<Answer> = answer ?? {};
	const choices: unknown[] = Array.isArray(rawValue) ? rawValue : [];
	return [value, ...choices.filter((one) => typeof one === 'string')];
};

/** The answers to the question of the same condition. */
export async function searchAnswers(this: ILoadOptionsFunctions, filter = '') {
	const label = picked(this.getCurrentNodeParameter('&label'));
	if (isBlank(label)) throw plainError(this.getNode(), 'Choose the question first.');
	const none = `None of the newest responses answers "${String(label)}". Choose "By Value" and enter it.`;
	return await load(this, filter, (one) => answersTo(label, one).flatMap(textsOf), none);
}
