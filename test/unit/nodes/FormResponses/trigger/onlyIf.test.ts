import type { IDataObject, WorkflowExecuteMode } from 'n8n-workflow';
import {
	isWanted,
	readOnlyIf,
	unknownQuestion,
} from '../../../../../nodes/FormResponses/trigger/onlyIf';
import type { ResponseEnvelope } from '../../../../../nodes/FormResponses/transport/types';
import { startClock } from '../../../kit/clock';
import { execute } from '../../../kit/execute';
import { hookContextOf } from '../../../kit/hookMethods';
import { anAnswer, aResponse, RESPONSE_ID } from '../../../kit/samples';
import { fakeService, ok } from '../../../kit/formService';
import { aWorkflow, pushed } from './trigger.fixture';

const rated = (value: string) =>
	aResponse({ answers: [anAnswer({ label: 'Rating', fieldId: 'f-1', value })] });
const oddly = (answers: unknown) => aResponse({ answers: answers as never });
const [good, poor] = [rated('Good'), rated('Poor')];

const onlyIf = (...conditions: IDataObject[]) => ({ onlyIf: { conditions } });
const anyOf = (...conditions: IDataObject[]) => ({ ...onlyIf(...conditions), onlyIfMatch: 'any' });

/** As the editor saves what is picked from a list. */
const picked = (value: string) => ({ __rl: true, mode: 'list', value, cachedResultName: 'Good' });

const rating = { label: 'Rating', value: 'Poor' };
const chosen = { label: picked('Rating'), value: picked('Poor') };
const evaluated = { ...rating, value: picked('={{ "Po" + "or" }}') };
const isGiven = { label: 'Rating', operation: 'exists' };
const isNamed = { label: 'Name', value: 'Robin' };

test.each<[boolean, string, IDataObject, ResponseEnvelope]>([
	[true, 'that meets it', onlyIf(rating), poor],
	[false, 'that does not', onlyIf(rating), good],
	[true, 'that meets what was picked from lists', onlyIf(chosen), poor],
	[true, 'to a question reworded since', onlyIf({ ...chosen, label: picked('f-1') }), poor],
	[false, 'that does not meet what was picked', onlyIf(chosen), good],
	[true, 'that meets an expression that needs no run', onlyIf(evaluated), poor],
	[false, 'that does not meet such an expression', onlyIf(evaluated), good],
	[false, 'that meets one of two conditions', onlyIf(rating, isNamed), poor],
	[true, 'that meets one of two where any is enough', anyOf(rating, isNamed), poor],
	[false, 'that meets none where any is enough', anyOf(isNamed, isNamed), poor],
	[true, 'where any condition is enough, and there is none', anyOf(), poor],
	[true, 'whose answers are no list', onlyIf(isGiven), oddly('x')],
	[false, 'whose answers are a list of something else', onlyIf(isGiven), oddly([null, 7])],
	[true, 'where a condition says nothing', onlyIf(rating, { value: 'Poor' }), good],
])('the workflow runs (%s) for a response %s', (isRun, _, options, response) => {
	expect(isWanted(hookContextOf(aWorkflow({ options })), response)).toBe(isRun);
});

test.each<[string, WorkflowExecuteMode, string, number, number]>([
	['does not meet it, is dropped', 'webhook', 'Good', 0, 0],
	['does not meet it, is there where a person asked for it again', 'retry', 'Good', 1, 0],
	['does not meet it, is there in a test, with a hint', 'manual', 'Good', 1, 1],
	['meets it, is there in a test', 'manual', 'Poor', 1, 0],
])('what the service says %s', async (_, mode, real, ...counts) => {
	startClock();
	const service = fakeService();
	const [delivered, shown] = ['Poor', real].map(rated);
	service.always('GET', `/responses/${RESPONSE_ID}`, ok(shown));
	const parameters = { options: { ...onlyIf(rating), verifyDeliveries: true } };
	const items = pushed(delivered);
	const run = await execute({ ...aWorkflow(parameters), mode, items });
	expect([run.items.length, run.hints.length]).toEqual(counts);
	const message = expect.stringContaining('does not meet "Only If"') as string;
	for (const hint of run.hints) expect(hint).toMatchObject({ message });
});

const unknown = 'No question is called "Nmae" in what the form service shows. There are: Rating.';

test.each([
	['equals', [unknown, 'This response does not meet']],
	['notEquals', [unknown]],
	['isEmpty', []],
])('a test names a question that the response does not have: %s', async (operation, hints) => {
	const items = pushed(poor);
	const mistyped = aWorkflow({ options: onlyIf({ label: 'Nmae', operation, value: 'Robin' }) });
	const run = await execute({ ...mistyped, mode: 'manual', items });
	expect(run.items).toHaveLength(1);
	const messages = hints.map((message): unknown => expect.stringContaining(message));
	expect(run.hints.map(({ message }) => message)).toEqual(messages);
});

test.each<[string, IDataObject, ResponseEnvelope[], string | undefined]>([
	['by the name it was chosen by', { ...chosen, label: picked('f-2') }, [poor], 'called "Good"'],
	[
		'with all there are',
		isNamed,
		[poor, aResponse({ answers: [anAnswer({ label: 'City' })] })],
		'are: Rating, City.',
	],
	['not if one response has it', isNamed, [poor, aResponse()], undefined],
	['not where no response has any', isNamed, [aResponse({ answers: [] })], undefined],
	['not where the condition is refused', { ...isNamed, operation: 'y' }, [poor], undefined],
])('a question that no response has is named %s', (_, condition, shown, told) => {
	const context = hookContextOf(aWorkflow({ options: onlyIf(condition) }));
	const message = unknownQuestion(context, shown);
	if (told === undefined) expect(message).toBeUndefined();
	else expect(message).toContain(told);
});

const ONCE = 'An expression of an item or the time has no value here.';
const NO_EFFECT = 'An expression has no effect here.';
const UNNAMED = ': Question" is empty. Choose it from the list, or enter it as the form has it.';
const NO_VALUE = ': Value" is empty. Enter a value, or choose Exists or Is Empty.';

test.each<[IDataObject, string]>([
	[{ label: '={{ 1 }}', operation: 'exists' }, `: Question" is "{{ 1 }}". ${NO_EFFECT}`],
	[{ label: 'x', value: '={{ 1 }}' }, `: Value" is "{{ 1 }}". ${NO_EFFECT}`],
	[{ label: 'x', value: picked('={{ $json["a"] }}') }, `" is "={{ $json[\\"a\\"] }}". ${ONCE}`],
	[{ label: picked("={{ $('A').first() }}"), value: '1' }, `" is "={{ $('A').first() }}". ${ONCE}`],
	[{ label: 'x', value: picked('={{ new Date() }}') }, `" is "={{ new Date() }}". ${ONCE}`],
	[{ label: 'x', value: picked('={{ $execution.id }}') }, `" is "={{ $execution.id }}". ${ONCE}`],
	[{ label: 'x', value: picked('={{ $now.toISO() }}') }, `" is "={{ $now.toISO() }}". ${ONCE}`],
	[{ label: 'x', value: picked({ a: 1 } as never) }, ': Value" is {"a":1}. Enter a value'],
	[{ value: 'Poor' }, UNNAMED],
	[{ label: picked(''), value: 'Poor' }, UNNAMED],
	[{ label: 'Rating' }, NO_VALUE],
	[{ label: 'Rating', value: picked(' ') }, NO_VALUE],
	[{ label: 'x', operation: 'y' }, ': Operation" is "y". Choose from: contains, equals,'],
])('the condition %j is refused', (condition, message) => {
	const context = hookContextOf(aWorkflow({ options: onlyIf(condition) }));
	expect(() => readOnlyIf(context)).toThrow(`The option "Only If${message}`);
});

test('it is refused where it is unclear how many conditions count', () => {
	const options = { ...onlyIf(rating), onlyIfMatch: 'some' };
	const refusal = 'The option "Only If Must Match" is "some". Choose from: all, any.';
	expect(() => readOnlyIf(hookContextOf(aWorkflow({ options })))).toThrow(refusal);
});
