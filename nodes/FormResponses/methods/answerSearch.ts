import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { isBlank, picked, readAuthentication, readFormId } from '../parameters';
import { connect } from '../transport/connect';
import { listResponses, MAX_RESPONSES } from '../transport/endpoints';
import { plainError } from '../transport/errors';
import { folded } from '../transport/folded';
import { answersOf, answersTo } from '../trigger/condition';
import { WAIT_MS } from './listSearch';

const NO_RESPONSE = 'This form has no completed response yet, so there is nothing to choose from.';

async function newest(context: ILoadOptionsFunctions) {
	const formId = readFormId(context);
	const authentication = readAuthentication(context);
	const api = await connect(context, { authentication, withinMs: WAIT_MS });
	return await listResponses(api, formId, MAX_RESPONSES);
}

/** Each text once. @throws NodeOperationError if there is none, as an empty list does not say why */
function choicesOf(
	context: ILoadOptionsFunctions,
	[texts, filter, reason]: [texts: unknown[], filter: string, reason: string],
): INodeListSearchResult {
	const choices = new Set(texts.filter((text) => !isBlank(text)).map(String));
	if (choices.size === 0) throw plainError(context.getNode(), reason);
	const found = [...choices].filter((text) => folded(text).includes(folded(filter)));
	return { results: found.map((text) => ({ name: text, value: text })) };
}

/** Loads the questions that the newest responses of the chosen form answer. */
export async function searchQuestions(this: ILoadOptionsFunctions, filter = '') {
	const labels = (await newest(this)).flatMap(answersOf).map((answer) => answer?.label);
	const reason = `${NO_RESPONSE} Choose "By Name" and enter the question.`;
	return choicesOf(this, [labels, filter, reason]);
}

/** Loads the answers that the newest responses give to the question of the same condition; of several choices, also each. */
export async function searchAnswers(this: ILoadOptionsFunctions, filter = '') {
	const label = picked(this.getCurrentNodeParameter('&label'));
	if (isBlank(label)) throw plainError(this.getNode(), 'Choose the question first.');
	const responses = await newest(this);
	const answers = responses.flatMap((response) => answersTo(label, response));
	const texts = answers.flatMap((answer) => [answer?.value, ...choicesIn(answer?.rawValue)]);
	const none = `None of the newest responses answers "${String(label)}".`;
	const reason = responses.length === 0 ? NO_RESPONSE : none;
	return choicesOf(this, [texts, filter, `${reason} Choose "By Value" and enter it.`]);
}

const choicesIn = (rawValue: unknown): unknown[] =>
	Array.isArray(rawValue) ? rawValue.filter((one) => typeof one === 'string') : [];
