import type { IDataObject, WorkflowExecuteMode } from 'n8n-workflow';
import type { ResponseEnvelope } from '../../../../../nodes/FormResponses/transport/types';
import { startClock } from '../../../kit/clock';
import { execute } from '../../../kit/execute';
import { activate } from '../../../kit/hook';
import { deliver } from '../../../kit/webhook';
import { anAnswer, aResponse, RESPONSE_ID } from '../../../kit/samples';
import { fakeService, ok } from '../../../kit/formService';
import { activated, aWorkflow, currentQuery, pushed } from './trigger.fixture';

const rated = (...ratings: string[]): ResponseEnvelope['data']['answers'] =>
	ratings.map((value) => anAnswer({ fieldId: 'f-1', label: 'Rating', value }));

const onlyIf = (...conditions: IDataObject[]) => ({ options: { onlyIf: { conditions } } });
const rating = { label: 'Rating', value: 'Poor' };
const isPoor = onlyIf(rating);

const [good, poor] = ['Good', 'Poor'].map((one) => aResponse({ answers: rated(one) }));
const oddly = (answers: unknown) => aResponse({ answers: answers as never });

/** As the editor saves what is picked from a list. */
const picked = (value: string) => ({ __rl: true, mode: 'list', value, cachedResultName: 'Good' });
const chosen = { label: picked('Rating'), value: picked('Poor') };
const isGiven = { label: 'Rating', operation: 'exists' };
const isNamed = { label: 'Name', value: 'Robin' };
const either = { options: { ...onlyIf(rating, isNamed).options, onlyIfMatch: 'any' } };
const nobody = { options: { ...onlyIf(isNamed, isNamed).options, onlyIfMatch: 'any' } };

test.each<[string, IDataObject, ResponseEnvelope, boolean]>([
	['that meets it runs', isPoor, poor, true],
	['that does not is taken, and starts no run', isPoor, good, false],
	['that meets what was picked from lists runs', onlyIf(chosen), poor, true],
	[
		'whose picked question was reworded since runs',
		onlyIf({ ...chosen, label: picked('f-1') }),
		poor,
		true,
	],
	['that does not meet what was picked starts no run', onlyIf(chosen), good, false],
	['that meets one of two conditions starts no run', onlyIf(rating, isNamed), poor, false],
	['that meets one of two runs where any is enough', either, poor, true],
	['that meets none where any is enough starts no run', nobody, poor, false],
	['whose answers are no list runs', onlyIf(isGiven), oddly('x'), true],
	[
		'whose answers are a list of something else starts no run',
		onlyIf(isGiven),
		oddly([null, 7]),
		false,
	],
	['runs where a condition says nothing', onlyIf(rating, { value: 'Poor' }), good, true],
])('a delivery %s', async (_, parameters, body, isRun) => {
	startClock();
	const service = fakeService();
	const stored = await activated(service);
	Object.assign(stored.parameters, parameters);
	const answer = await deliver(stored, { body, query: currentQuery(service) });
	expect([answer.status, answer.run]).toEqual([200, isRun ? pushed(body) : undefined]);
});

test.each<[string, WorkflowExecuteMode, string, number, number]>([
	['does not meet it, is dropped', 'webhook', 'Good', 0, 0],
	['does not meet it, is there where a person asked for it again', 'retry', 'Good', 1, 0],
	['does not meet it, is there in a test, with a hint', 'manual', 'Good', 1, 1],
	['meets it, is there in a test', 'manual', 'Poor', 1, 0],
])('what the service says %s', async (_, mode, real, ...counts) => {
	startClock();
	const service = fakeService();
	const [delivered, shown] = ['Poor', real].map((one) => aResponse({ answers: rated(one) }));
	service.always('GET', `/responses/${RESPONSE_ID}`, ok(shown));
	const parameters = { options: { ...isPoor.options, verifyDeliveries: true } };
	const items = pushed(delivered);
	const run = await execute({ ...aWorkflow(parameters), mode, items });
	expect([run.items.length, run.hints.length]).toEqual(counts);
	const message = expect.stringContaining('does not meet "Only If"') as string;
	for (const hint of run.hints) expect(hint).toMatchObject({ message });
});

test.each([
	[
		'equals',
		[
			'No question is called "Nmae" in what the form service shows. There are: Rating.',
			'This response does not meet',
		],
	],
	[
		'notEquals',
		['No question is called "Nmae" in what the form service shows. There are: Rating.'],
	],
	['isEmpty', []],
])('a test names a question that the response does not have: %s', async (operation, hints) => {
	const items = pushed(aResponse({ answers: rated('Poor') }));
	const mistyped = aWorkflow(onlyIf({ label: 'Nmae', operation, value: 'Robin' }));
	const run = await execute({ ...mistyped, mode: 'manual', items });
	expect(run.items).toHaveLength(1);
	const messages = hints.map((message): unknown => expect.stringContaining(message));
	expect(run.hints.map(({ message }) => message)).toEqual(messages);
});

const ONCE = 'An expression of an item or the time has no value here.';

test.each<[IDataObject, string]>([
	[{ label: '={{ 1 }}', operation: 'exists' }, ': Question" is "{{ 1 }}". An expression has no'],
	[{ label: 'x', value: '={{ 1 }}' }, ': Value" is "{{ 1 }}". An expression has no effect here.'],
	[{ label: 'x', value: picked('={{ $json["a"] }}') }, `" is "={{ $json[\\"a\\"] }}". ${ONCE}`],
	[{ label: picked("={{ $('Node').first() }}"), value: '1' }, ONCE],
	[{ label: 'x', value: picked('={{ new Date() }}') }, ONCE],
	[{ label: 'x', value: picked('={{ $execution.id }}') }, ONCE],
	[{ label: 'x', value: picked({ a: 1 } as never) }, ': Value" is {"a":1}. Enter a value'],
	[{ label: 'x', value: picked('={{ $now.toISO() }}') }, ONCE],
	[
		{ value: 'Poor' },
		': Question" is empty. Choose it from the list, or enter it as the form has it.',
	],
	[{ label: picked(''), value: 'Poor' }, ': Question" is empty. Choose it'],
	[{ label: 'Rating' }, ': Value" is empty. Enter a value, or choose Exists or Is Empty.'],
	[{ label: 'Rating', value: picked(' ') }, ': Value" is empty. Enter a value'],
	[{ label: 'x', operation: 'y' }, ': Operation" is "y". Choose from: contains, equals,'],
])('a publication with the condition %j is refused', async (condition, message) => {
	startClock();
	fakeService();
	await expect(activate(aWorkflow(onlyIf(condition)))).rejects.toThrow('The option "Only If');
	await expect(activate(aWorkflow(onlyIf(condition)))).rejects.toThrow(message);
});

test('a publication is refused where it is unclear how many conditions count', async () => {
	startClock();
	fakeService();
	const unclear = aWorkflow({ options: { ...isPoor.options, onlyIfMatch: 'some' } });
	const refusal = 'The option "Only If Must Match" is "some". Choose from: all, any.';
	await expect(activate(unclear)).rejects.toThrow(refusal);
});

test('an expression that needs no run is compared by its value', async () => {
	startClock();
	const service = fakeService();
	const stored = await activated(service);
	Object.assign(stored.parameters, onlyIf({ ...rating, value: picked('={{ "Po" + "or" }}') }));
	const answers = [poor, good].map(
		async (body) => await deliver(stored, { body, query: currentQuery(service) }),
	);
	const runs = (await Promise.all(answers)).map(({ run }) => run !== undefined);
	expect(runs).toEqual([true, false]);
});
