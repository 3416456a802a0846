import type { IDataObject, WorkflowExecuteMode } from 'n8n-workflow';
import { meets } from '../../../../nodes/FormResponses/trigger/onlyIf';
import type { ResponseEnvelope } from '../../../../nodes/FormResponses/transport/types';
import { startClock } from '../../../clock';
import { execute } from '../../../in-process/execute';
import { activate } from '../../../in-process/hook';
import { keepLogs } from '../../../in-process/logs';
import { deliver } from '../../../in-process/webhook';
import type { Stored } from '../../../in-process/workflow';
import { anAnswer, aResponse, idOf, RESPONSE_ID, responsesOf } from '../../../samples';
import { fakeService, ok } from '../../../service';
import { aScene, SINCE, type Scene } from './recover/scene.fixture';
import { activated, aWorkflow, currentQuery, idsIn, pushed, trigger } from './trigger.fixture';

const rated = (...ratings: string[]): ResponseEnvelope['data']['answers'] =>
	ratings.map((value) => anAnswer({ fieldId: 'f-1', label: 'Rating', value }));

const onlyIf = (...conditions: IDataObject[]) => ({ options: { onlyIf: { conditions } } });
const rating = { label: 'Rating', value: 'Poor' };
const isPoor = onlyIf(rating);

test.each<[label: string, operation: string, value: string, answers: string[], boolean]>([
	['Rating', 'equals', ' poor', ['Poor'], true],
	[' RATING', 'equals', 'Poor', ['Poor '], true],
	['f-1', 'equals', 'Poor', ['Poor'], true],
	['Rating', 'equals', 'Poor', ['Very poor'], false],
	['Rating', 'equals', 'Poor', [], false],
	['Other', 'equals', 'Poor', ['Poor'], false],
	['Rating', 'equals', 'Poor', ['Good', 'Poor'], true],
	['Rating', 'notEquals', 'Poor', ['Good', 'Poor'], false],
	['Rating', 'notEquals', 'Poor', ['Good'], true],
	['Rating', 'notEquals', 'Poor', [], true],
	['Rating', 'contains', 'app', ['Website, App'], true],
	['Rating', 'contains', 'app', ['Website'], false],
	['Rating', 'exists', '', ['x'], true],
	['Rating', 'exists', '', [' '], false],
	['Rating', 'exists', '', [], false],
	['Rating', 'isEmpty', '', [], true],
	['Rating', 'isEmpty', '', [''], true],
	['Rating', 'isEmpty', '', ['x'], false],
	['Rating', 'greater', '9', ['10'], true],
	['Rating', 'greater', '10', ['10'], false],
	['Rating', 'less', '10', ['9'], true],
	['Rating', 'less', '10', ['-1e3'], true],
	['Rating', 'less', '10', [], false],
	['Rating', 'less', '10', [''], false],
	['Rating', 'equals', '0', [''], false],
	['Rating', 'greater', '10', [''], false],
	['Rating', 'equals', '5', ['05.0'], true],
	['Rating', 'notEquals', '5', ['5.0'], false],
	['Rating', 'greater', '9', ['n/a'], false],
	['Rating', 'less', '9', ['n/a'], false],
	['Rating', 'greater', 'b', ['a'], false],
	['Rating', 'greater', 'a', ['b'], true],
	['Rating', 'less', 'b', [''], false],
	['Rating', 'less', 'b', ['b'], false],
	['Rating', 'greater', '2026-01-31', ['2026-02-01'], true],
	['Rating', 'less', '2026-01-31', ['2026-02-01'], false],
])('"%s" %s "%s" of %j: %s', (label, operation, value, answers, expected) => {
	const response = aResponse({ answers: rated(...answers) });
	expect(meets(response, [{ label, operation, value }])).toBe(expected);
});

test('a number is compared as the service stored it, where its text is another', () => {
	const response = aResponse({ answers: [anAnswer({ value: '1,000', rawValue: 1_000 })] });
	const over = (value: string) => [{ label: 'Name', operation: 'greater', value }];
	expect([500, 1_000].map((value) => meets(response, over(`${value}`)))).toEqual([true, false]);
});

test('all conditions have to hold; none leaves nothing out', () => {
	const response = aResponse({ answers: [...rated('Poor'), anAnswer()] });
	const [first, second] = [
		{ label: 'Rating', operation: 'equals', value: 'Poor' },
		{ label: 'Name', operation: 'equals', value: 'Sam' },
	];
	expect(meets(response, [first])).toBe(true);
	expect(meets(response, [first, second])).toBe(false);
	expect(meets(response, [])).toBe(true);
});

test.each<[string, unknown]>([
	['no list', 'x'],
	['a list of something else', [null, 7, { label: null, value: null }]],
])('answers that are %s end nothing', (_, answers) => {
	const isGiven = { label: 'Rating', operation: 'exists', value: '' };
	expect(meets(aResponse({ answers: answers as never }), [isGiven])).toBe(answers === 'x');
});

describe('a delivery', () => {
	const [good, poor] = ['Good', 'Poor'].map((value, n) =>
		aResponse({ responseId: idOf(n), answers: rated(value) }),
	);

	test.each<[string, IDataObject, ResponseEnvelope, boolean]>([
		['that meets it runs', isPoor, poor, true],
		['that does not is taken, and starts no run', isPoor, good, false],
		['runs where a condition says nothing', onlyIf(rating, { value: 'Poor' }), good, true],
		[
			'runs where a condition is of another kind',
			onlyIf({ ...rating, operation: 'y' }),
			good,
			true,
		],
	])('%s', async (_, parameters, body, isRun) => {
		startClock();
		const service = fakeService();
		const published = await activated(service);
		const stored = {
			...published,
			parameters: { ...published.parameters, ...parameters },
		} as Stored;
		const answer = await deliver(stored, { body, query: currentQuery(service) });
		expect([answer.status, answer.run]).toEqual([200, isRun ? pushed(body) : undefined]);
	});

	test('in a test shows it, with a hint', async () => {
		startClock();
		const ran = async (envelope: ResponseEnvelope) =>
			await execute({ ...aWorkflow(isPoor), mode: 'manual', items: pushed(envelope) });
		expect(await ran(poor)).toMatchObject({ hints: [], items: [{}] });
		const message = expect.stringContaining('does not meet "Only If"');
		expect(await ran(good)).toMatchObject({ hints: [{ message }], items: [{}] });
	});
});

describe('a look', () => {
	/** Newest first; those at the positions are poor. */
	const mixed = (count: number, ...poor: number[]) =>
		responsesOf(count, SINCE).map((one, index) => ({
			...one,
			data: { ...one.data, answers: rated(poor.includes(index) ? 'Poor' : 'Good') },
		}));

	let scene: Scene;
	let logs: ReturnType<typeof keepLogs>;
	const warnings = () => logs.filter(({ level }) => level === 'warn').map(({ message }) => message);
	const hooksMade = () => scene.service.calls().filter((call) => call === 'POST /hooks').length;

	async function begin(parameters: IDataObject = isPoor, responses: ResponseEnvelope[] = []) {
		logs = keepLogs(trigger);
		scene = Object.assign(aScene(parameters), { responses });
		await scene.start();
		await scene.minutes(1);
	}

	async function see(responses: ResponseEnvelope[], minutes: number) {
		scene.responses = responses;
		await scene.minutes(minutes);
	}

	afterEach(async () => await scene.stop());

	const polled = { ...isPoor, authentication: 'apiKey', pollInterval: 1 };

	test.each([
		['a hook', isPoor],
		['an API key', polled],
	])('runs what meets it, once, with %s', async (_, parameters) => {
		await begin(parameters);
		await see(mixed(10, 0, 5), 20);
		expect(idsIn(scene.trigger.runs)).toEqual([[idOf(5, 2), idOf(10, 2)]]);
	});

	test('does not take a hook for lost because of what is left out', async () => {
		await begin();
		await see(mixed(10), 20);
		expect([scene.trigger.runs, warnings(), hooksMade()]).toEqual([[], [], 1]);
	});

	test('does not take a hook for found because of what is left out', async () => {
		await begin();
		const [second, , , , , first, ...good] = mixed(10, 0, 5);
		await see([first], 3);
		await see([first, ...good], 17);
		await see([second, first, ...good], 40);
		expect(scene.trigger.failures).toHaveLength(1);
	});

	test('does not replace a hook that is only slow, as a delivery that is left out shows', async () => {
		await begin();
		const [poor, good] = mixed(2, 0);
		scene.responses = [poor, good];
		scene.trigger.tick();
		await scene.clock.pass(10_000);
		await deliver(scene.stored, { body: good, query: currentQuery(scene.service) });
		await scene.clock.pass(10_000);
		expect(idsIn(scene.trigger.runs)).toEqual([[poor.data.responseId]]);
		expect(hooksMade()).toBe(1);
	});

	test('warns with an API key where none of a page was there before, and only then', async () => {
		const all = mixed(60, 34);
		const page = (newest: number) => all.slice(all.length - newest).slice(0, 25);
		await begin(polled, page(25));
		await see(page(26), 2);
		expect(scene.trigger.runs).toMatchObject([[{ isOldestShown: false }]]);
		expect(warnings()).toEqual([]);
		await see(page(60), 2);
		expect(warnings().join()).toContain('more responses came than the API shows');
	});

	test('tells that older ones may be out of reach, also where the oldest of 25 is left out', async () => {
		await begin();
		await see(mixed(25, 0, 20), 2);
		expect(scene.trigger.runs[0]).toMatchObject([{ isOldestShown: true }, {}]);
	});
});

test('at a start of n8n a condition that says nothing leaves nothing out', async () => {
	startClock();
	const service = fakeService();
	const { staticData } = await activated(service);
	const stored = { ...aWorkflow(onlyIf({ value: 'Poor' })), staticData };
	await activate(stored, { activation: 'init' });
	expect(service.calls().filter((call) => call === 'POST /hooks')).toHaveLength(2);
});

test.each<[string, WorkflowExecuteMode, number, number]>([
	['is dropped', 'webhook', 0, 0],
	['is there where a person asked for it again', 'retry', 1, 0],
	['is there in a test, with a hint', 'manual', 1, 1],
])(
	'what does not meet it in the service, though it did as delivered, %s',
	async (_, mode, ...counts) => {
		startClock();
		const service = fakeService();
		const [delivered, real] = ['Poor', 'Good'].map((one) => aResponse({ answers: rated(one) }));
		service.always('GET', `/responses/${RESPONSE_ID}`, () => ok(real));
		const { onlyIf: conditions } = isPoor.options;
		const parameters = { options: { onlyIf: conditions, verifyDeliveries: true } };
		const stored = { ...aWorkflow(parameters), mode, items: pushed(delivered) };
		const { items, hints } = await execute(stored);
		expect([items.length, hints.length]).toEqual(counts);
	},
);

test.each<[IDataObject, string]>([
	[
		{ label: '={{ 1 }}', operation: 'exists' },
		'The option "Only If: Question" is "{{ 1 }}". An expression has no effect here.',
	],
	[{ label: 'x', value: '={{ 1 }}' }, 'The option "Only If: Value" is "{{ 1 }}". An expression'],
	[{ value: 'Poor' }, 'The option "Only If: Question" is empty. Enter the question as the form'],
	[{ label: 'Rating' }, 'The option "Only If: Value" is empty. Enter a value, or choose Exists'],
	[
		{ label: 'x', operation: 'y' },
		'The option "Only If: Operation" is "y". Choose from: contains, equals,',
	],
])('a publication with the condition %j is refused', async (condition, message) => {
	startClock();
	fakeService();
	await expect(activate(aWorkflow(onlyIf(condition)))).rejects.toThrow(message);
});
