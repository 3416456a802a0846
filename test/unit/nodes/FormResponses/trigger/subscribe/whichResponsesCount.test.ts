import { responseKey } from '../../../../../../nodes/FormResponses/transport/responseKey';
import { startClock } from '../../../../kit/clock';
import { activate } from '../../../../kit/hookMethods';
import { FORM_ID, responsesOf } from '../../../../kit/samples';
import { fakeService, ok } from '../../../../kit/formService';
import { aWorkflow, serveHooks, stateIn } from '../trigger.fixture';

const HOUR = 3_600_000;

test('responses count from the hook on, by the clock of the service; of a node with the same name too', async () => {
	const clock = startClock();
	const serviceTime = () => new Date(clock.now() - 5 * HOUR).toISOString();
	serveHooks(fakeService(), serviceTime);
	const stored = aWorkflow();
	for (const nodeId of ['first', 'pasted']) {
		stored.nodeId = nodeId;
		await activate(stored);
		expect(stateIn(stored)?.since).toBe(serviceTime());
		await clock.pass(HOUR);
	}
});

/** A clock that is behind that of n8n. */
const DATE = { date: 'Sun, 01 Mar 2026 11:58:20 GMT' };

test.each<[string, number, Record<string, string>, string]>([
	['its oldest', 25, {}, '2026-03-01T11:00:01.000Z'],
	["the service's time where the page is not full", 24, DATE, '2026-03-01T11:58:20.000Z'],
	["the service's time where the page is empty", 0, DATE, '2026-03-01T11:58:20.000Z'],
	['the newest shown where the service tells no time', 1, {}, '2026-03-01T11:59:01.000Z'],
	["n8n's time where nothing is shown either", 0, {}, '2026-03-01T12:00:00.000Z'],
])('with an API key those are new that are not older than %s', async (_, count, headers, since) => {
	startClock();
	const shown = responsesOf(count);
	fakeService().on('GET', `/forms/${FORM_ID}/responses`, ok({ data: shown }, headers));
	const stored = aWorkflow({ authentication: 'apiKey' });
	await activate(stored);
	expect(stateIn(stored)).toMatchObject({ since, baseline: shown.map(responseKey) });
});
