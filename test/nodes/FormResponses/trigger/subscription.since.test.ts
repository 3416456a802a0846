import type { IDataObject } from 'n8n-workflow';
import type { Clock } from '../../../clock';
import { startClock } from '../../../clock';
import { activate, deactivate } from '../../../in-process/hook';
import { OTHER_FORM_ID, responsesOf } from '../../../samples';
import type { FakeService } from '../../../service';
import { fakeService, refused } from '../../../service';
import { aWorkflow, serveHooks, serveResponses, stateIn } from './trigger.fixture';

let clock: Clock;
let service: FakeService;

beforeEach(() => {
	clock = startClock();
	service = fakeService();
});

const byId = (value: string) => ({ formId: { __rl: true, mode: 'list', value } });

describe('responses between two activations', () => {
	const HOUR = 3_600_000;
	const hookMadeAt = () => new Date(clock.now()).toISOString();

	test.each([
		['', 0],
		[', by the clock of a service that is hours behind', 5 * HOUR],
	])(
		'where another node has taken the name: from the stop of the first one%s',
		async (_, behind) => {
			serveHooks(service, () => new Date(clock.now() - behind).toISOString());
			const stored = aWorkflow();
			await activate(stored);
			await clock.pass(HOUR);
			const stop = clock.now() - behind;
			await deactivate(stored);
			await clock.pass(10_000);
			stored.nodeId = 'pasted';
			await activate(stored);
			const { since } = stateIn(stored)!;
			expect(Math.abs(Date.parse(since!) - stop)).toBeLessThan(1_000);
			await clock.pass(HOUR);
			await activate(stored);
			expect(stateIn(stored)?.since).toBe(since);
		},
	);

	test.each([['a'], ['b']])(
		'go on for a trigger that takes the name of one deleted meanwhile, whichever subscribed last: %s',
		async (last) => {
			serveHooks(service, hookMadeAt);
			const stayed = aWorkflow({}, { nodeId: 'a' });
			const { workflowId } = stayed;
			const deleted = aWorkflow(byId(OTHER_FORM_ID), { nodeId: 'b', workflowId });
			const order = last === 'a' ? [deleted, stayed] : [stayed, deleted];
			for (const one of order) {
				await activate(one);
				await clock.pass(5_000);
			}
			const first = stateIn(stayed)?.since;
			for (const one of order) await deactivate(one);
			const renamed = { ...stayed, staticData: deleted.staticData };
			await activate(renamed, { activation: 'update' });
			expect(stateIn(renamed)?.since).toBe(first);
		},
	);
});

describe('responses that are there at the first publication', () => {
	const existing = { options: { existing: true } };
	const byKey = { ...existing, authentication: 'apiKey' };

	test.each<[string, IDataObject]>([
		['with a hook', existing],
		['with an API key', byKey],
	])('run too where wanted, %s', async (_, parameters) => {
		serveHooks(service);
		serveResponses(service, responsesOf(3));
		const stored = aWorkflow(parameters);
		await activate(stored);
		expect(stateIn(stored)).toMatchObject({ since: '', baseline: [] });
	});

	test('run too where the first try to publish failed', async () => {
		service.on('POST', '/hooks', refused(503));
		const stored = aWorkflow(existing);
		await expect(activate(stored)).rejects.toThrow();
		serveHooks(service);
		await activate(stored);
		expect(stateIn(stored)?.since).toBe('');
	});

	test('do not where the workflow had been published before', async () => {
		serveHooks(service, () => new Date(clock.now()).toISOString());
		const stored = aWorkflow();
		await activate(stored);
		await deactivate(stored);
		await clock.pass(3_600_000);
		stored.parameters = { ...stored.parameters, ...existing };
		const anew = new Date(clock.now()).toISOString();
		await activate(stored);
		expect(stateIn(stored)?.since).toBe(anew);
	});
});
