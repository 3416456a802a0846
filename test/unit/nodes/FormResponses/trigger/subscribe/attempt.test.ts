import type { IDataObject } from 'n8n-workflow';
import { startClock, type Clock } from '../../../../kit/clock';
import { activate, deactivate } from '../../../../kit/hookMethods';
import { FORM_ID, idOf } from '../../../../kit/samples';
import { fakeService, ok, type FakeService } from '../../../../kit/formService';
import { activated, aWorkflow, serveHooks, stateIn } from '../trigger.fixture';

let clock: Clock;
let service: FakeService;

beforeEach(() => {
	clock = startClock({ standing: true });
	service = fakeService();
});

const byId = (value: string) => ({ formId: { __rl: true, mode: 'list', value } });
const unnamed = { options: { onlyIf: { conditions: [{ value: 'Poor' }] } } };

test.each<[string, IDataObject, RegExp]>([
	['no form', byId(''), /^The parameter "Form" is empty/],
	['a wrong form', byId('../me'), /^The parameter "Form" is "\.\.\/me"/],
	[
		'no interval',
		{ authentication: 'apiKey', pollInterval: 0 },
		/^The parameter "Poll Interval" is 0\./,
	],
	['a condition without a question', unnamed, /"Only If: Question" is empty\./],
])('a publication with %s is refused by name, and nothing is sent', async (...row) => {
	const [, parameters, message] = row;
	await expect(activate(aWorkflow(parameters))).rejects.toThrow(message);
	expect(service.sent).toEqual([]);
});

test('so is one that would keep the hook of a moment ago', async () => {
	const stored = await activated(service);
	await deactivate(stored);
	Object.assign(stored.parameters, unnamed);
	await expect(activate(stored)).rejects.toThrow(/"Only If: Question" is empty\./);
	expect(service.calls()).toEqual(['POST /hooks']);
});

test('one with an API key keeps no hook of a moment ago', async () => {
	service.always('GET', `/forms/${FORM_ID}/responses`, ok({ data: [] }));
	const stored = await activated(service);
	await deactivate(stored);
	stored.parameters.authentication = 'apiKey';
	await activate(stored);
	await clock.pass(60_000);
	expect(stateIn(stored)?.status).toBe('polling');
	expect(service.calls()).toContain(`DELETE /hooks/${idOf(1, 5)}`);
});

test.each(['init', 'leadershipChange'] as const)(
	'a start of n8n (%s) goes on with a condition without a question',
	async (activation) => {
		serveHooks(service);
		await activate(aWorkflow(unnamed), { activation });
		expect(service.calls()).toEqual(['POST /hooks']);
	},
);
