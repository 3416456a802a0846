import type { IDataObject } from 'n8n-workflow';
import { startClock } from '../../../../kit/clock';
import { activate, deactivate } from '../../../../kit/hookMethods';
import { fakeService, type FakeService } from '../../../../kit/formService';
import { activated, aWorkflow, serveHooks } from '../trigger.fixture';

let service: FakeService;

beforeEach(() => {
	startClock({ standing: true });
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

test('a start of n8n goes on with a condition without a question', async () => {
	serveHooks(service);
	await activate(aWorkflow(unnamed), { activation: 'init' });
	expect(service.calls()).toEqual(['POST /hooks']);
});
