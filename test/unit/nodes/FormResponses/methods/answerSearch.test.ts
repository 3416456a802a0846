import { LoadOptionsContext } from 'n8n-core';
import type { INodeParameters } from 'n8n-workflow';
import { FormResponsesTrigger } from '../../../../../nodes/FormResponses/FormResponsesTrigger.node';
import type { Answer } from '../../../../../nodes/FormResponses/transport/types';
import { install } from '../../../kit/workflow';
import { anAnswer, anError, aResponse, FORM_ID, idOf } from '../../../kit/samples';
import { fakeService, ok, reply, type FakeService } from '../../../kit/formService';

const type = new FormResponsesTrigger();
const LIST = `/forms/${FORM_ID}/responses`;

let service: FakeService;
beforeEach(() => (service = fakeService()));

/** Newest first. */
const show = (...responses: unknown[]) =>
	service.always(
		'GET',
		LIST,
		ok({
			data: responses.map((answers, n) =>
				aResponse({ responseId: idOf(n, 2), answers: answers as Answer[] }),
			),
		}),
	);

const answer = (label: string, value: string, rawValue?: unknown) =>
	anAnswer({ label, value, rawValue, fieldId: `id of ${label}` });

/** Opens a list of the second of two conditions, as the editor does. */
async function open(
	list: 'searchQuestions' | 'searchAnswers',
	label: unknown,
	filter?: string,
	parameters: INodeParameters = {},
) {
	const conditions = [{ label: 'Other', value: 'x' }, { label }] as INodeParameters[];
	const all = {
		authentication: 'oAuth2',
		formId: { __rl: true, mode: 'id', value: FORM_ID },
		options: { onlyIf: { conditions } },
		...parameters,
	};
	const { workflow, node, additionalData } = install({ type, parameters: all });
	additionalData.currentNodeParameters = node.parameters;
	const path = `parameters.options.onlyIf.conditions[1].${list === 'searchAnswers' ? 'value' : 'label'}`;
	const context = new LoadOptionsContext(workflow, node, additionalData, path);
	const { results } = await type.methods.listSearch[list].call(context, filter);
	return results;
}

const rated = [answer('Rating', 'Poor'), answer('Topics', 'A, B', ['A', 'B'])];
const older = [answer('Name', 'Robin'), answer('Rating', 'Good'), answer('Topics', 'B', ['B', 7])];

test('the questions are those of the newest responses, each once, by its ID and latest label', async () => {
	const reworded = answer('Rating', 'Fair');
	show([{ ...reworded, label: 'Your rating' }, ...rated.slice(1)], rated, older, 'no list', [null]);
	const byId = (label: string, name = label) => ({ name, value: `id of ${label}` });
	const questions = [byId('Rating', 'Your rating'), byId('Topics'), byId('Name')];
	expect(await open('searchQuestions', '')).toEqual(questions);
	expect(await open('searchQuestions', '', ' TOPIC')).toEqual([byId('Topics')]);
	expect(service.sent[0]).toMatchObject({ path: LIST, query: { limit: '25' } });
});

test('questions of one label are told apart, and one without a label is left out', async () => {
	const named = (fieldId: string, label = 'Name') => anAnswer({ fieldId, label });
	show([named('field-111111'), named('field-222222'), named('field-333333', ' ')]);
	expect(await open('searchQuestions', '')).toEqual([
		{ name: 'Name (…111111)', value: 'field-111111' },
		{ name: 'Name (…222222)', value: 'field-222222' },
	]);
});

test.each<[string, unknown, string[]]>([
	['picked from the list', { __rl: true, mode: 'list', value: 'Rating' }, ['Poor', 'Good']],
	['entered', { __rl: true, mode: 'name', value: ' rating ' }, ['Poor', 'Good']],
	['a plain text', 'Rating', ['Poor', 'Good']],
	['a field ID', 'id of Rating', ['Poor', 'Good']],
	['one of several choices', 'Topics', ['A, B', 'A', 'B', '7']],
	['without one that is blank, and without the blanks around one', 'City', ['Oslo']],
])('the values are the answers to the question: %s', async (_, label, values) => {
	show(rated, older, older, [answer('City', ' '), answer('City', ' Oslo ')]);
	const found = await open('searchAnswers', label);
	expect(found).toEqual(values.map((value) => ({ name: value, value })));
});

test('an API key has both lists', async () => {
	show(rated);
	const byKey = { authentication: 'apiKey' };
	expect(await open('searchQuestions', '', '', byKey)).toHaveLength(2);
	expect(await open('searchAnswers', 'Rating', '', byKey)).toHaveLength(1);
});

const noForm = { formId: { __rl: true, mode: 'list', value: '' } };
const NONE = 'This form has no completed response yet. Choose "By Name" and enter the question.';

test.each<[string, Parameters<typeof open>, string]>([
	['no form', ['searchQuestions', '', '', noForm], 'The parameter "Form" is empty. Choose it from'],
	['no response', ['searchQuestions', ''], NONE],
	['no question', ['searchAnswers', { mode: 'list', value: '' }], 'Choose the question first.'],
])('with %s, the list says why it is empty: %j', async (_, call, message) => {
	show();
	await expect(open(...call)).rejects.toThrow(message);
});

test('a question that nobody answered says so', async () => {
	show(rated);
	const message = 'None of the newest responses answers this question. Choose "By Value" and';
	await expect(open('searchAnswers', 'x')).rejects.toThrow(message);
});

test('what the service refuses is told', async () => {
	service.on('GET', LIST, reply(404, anError('not_found', 'No')));
	await expect(open('searchQuestions', '')).rejects.toThrow('the form does not exist or belongs');
});
