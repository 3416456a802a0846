import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { isBlank, picked, readAuthentication, readFormId } from '../parameters';
import { connect } from '../transport/connect';
import { listResponses, MAX_RESPONSES } from '../transport/endpoints';
import { plainError } from '../transport/errors';
import { folded, textOf } from '../transport/comparableText';
import type { Answer, ResponseEnvelope } from '../transport/types';
import { answersOf, answersTo } from '../trigger/onlyIfCondition';
import { WAIT_MS } from './listSearch';
import { listEntryName } from './listEntryName';

interface Choice {
	name: string;
	value: string;
}

/**
 * Loads choices from the newest responses of the chosen form.
 *
 * @throws NodeOperationError if there is none, as an empty list does not say why
 */
async function load(
	context: ILoadOptionsFunctions,
	filter: string,
	choicesIn: (responses: ResponseEnvelope[]) => Choice[],
	none: string,
): Promise<INodeListSearchResult> {
	const formId = readFormId(context);
	const authentication = readAuthentication(context);
	const api = await connect(context, { authentication, withinMs: WAIT_MS });
	const responses = await listResponses(api, formId, MAX_RESPONSES);
	const choices = choicesIn(responses);
	if (choices.length === 0) throw plainError(context.getNode(), none);
	return { results: choices.filter(({ name }) => folded(name).includes(folded(filter))) };
}

/** By ID, as a question may be reworded; those of one label with the end of the ID. */
function questionsIn(responses: ResponseEnvelope[]): Choice[] {
	const newest = new Map<string, string>();
	for (const answer of responses.flatMap(answersOf)) {
		const id = textOf(answer.fieldId ?? answer.label);
		const label = textOf(answer.label).trim();
		if (label !== '' && !newest.has(id)) newest.set(id, label);
	}
	const labels = [...newest.values()];
	return [...newest].map(([id, label]) => ({ name: listEntryName(label, labels, id), value: id }));
}

export async function searchQuestions(this: ILoadOptionsFunctions, filter = '') {
	const none = 'This form has no completed response yet. Choose "By Name" and enter the question.';
	return await load(this, filter, questionsIn, none);
}

/** As text, and each of several choices. */
const textsOf = ({ value, rawValue }: Answer): string[] => {
	const choices: unknown[] = Array.isArray(rawValue) ? rawValue : [];
	return [value ?? rawValue, ...choices].map((one) => textOf(one).trim()).filter(Boolean);
};

/** The answers to the question of the same condition. */
export async function searchAnswers(this: ILoadOptionsFunctions, filter = '') {
	const label = picked(this.getCurrentNodeParameter('&label'));
	if (isBlank(label)) throw plainError(this.getNode(), 'Choose the question first.');
	const none =
		'None of the newest responses answers this question. Choose "By Value" and enter it.';
	const choicesIn = (responses: ResponseEnvelope[]) => {
		const texts = responses.flatMap((one) => answersTo(label, one).flatMap(textsOf));
		return [...new Set(texts)].map((text) => ({ name: text, value: text }));
	};
	return await load(this, filter, choicesIn, none);
}
