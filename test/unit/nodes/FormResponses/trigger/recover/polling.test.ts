import { responseKey } from '../../../../../../nodes/FormResponses/transport/responseKey';
import { keepLogs } from '../../../../kit/logs';
import { anError, idOf, responsesOf } from '../../../../kit/samples';
import { reply } from '../../../../kit/formService';
import { aScene, MINUTE, SINCE, type Scene } from './scene.fixture';
import { idsIn, stateIn, trigger } from '../trigger.fixture';

/** A clock that is behind that of n8n. */
const DATE = { date: 'Sun, 01 Mar 2026 11:58:20 GMT' };

let scene: Scene;

afterEach(async () => {
	await scene.stop();
});

/** A trigger that has looked once; reading what is there already is no look. */
async function polling(parameters = {}) {
	scene = aScene({ authentication: 'apiKey', pollInterval: 1, ...parameters });
	scene.responses = responsesOf(2, SINCE);
	await scene.start();
	await scene.clock.pass(MINUTE);
	expect(scene.looks.splice(0)).toEqual([0, 3]);
}

test('brings each new response once, and takes none for one that a hook should have delivered', async () => {
	await polling();
	for (let count = 3; count < 8; count++) {
		scene.responses = responsesOf(count, SINCE);
		await scene.minutes(1);
	}
	expect(idsIn(scene.trigger.runs)).toEqual([3, 4, 5, 6, 7].map((n) => [idOf(n, 2)]));
	expect(scene.service.calls().every((call) => call.startsWith('GET'))).toBe(true);
});

test('an interval that can no longer be read ends nothing: a look comes each five minutes', async () => {
	await polling();
	await scene.stop();
	scene.stored.parameters.pollInterval = 0;
	await scene.start();
	await scene.minutes(21);
	expect(scene.gaps().slice(1)).toEqual([300, 300, 300]);
});

test('after a failure of minutes, the next look comes with the interval', async () => {
	keepLogs(trigger);
	await polling({ pollInterval: 2 });
	scene.failure = reply(403, anError('insufficient_scope', 'No'));
	await scene.minutes(20);
	expect(scene.gaps()).toEqual([60, 60, 60, 60, 60, 120, 120, 120, 120, 120, 120]);
	scene.failure = undefined;
	scene.responses = responsesOf(3, SINCE);
	await scene.minutes(2);
	expect(idsIn(scene.trigger.runs)).toEqual([[idOf(3, 2)]]);
});

test.each<[string, number, Record<string, string>, string]>([
	['its oldest', 25, {}, '2026-03-01T11:00:01.000Z'],
	["the service's time where the page is not full", 24, DATE, '2026-03-01T11:58:20.000Z'],
	["the service's time where the page is empty", 0, DATE, '2026-03-01T11:58:20.000Z'],
	['the newest shown where the service tells no time', 1, {}, '2026-03-01T11:59:01.000Z'],
	["n8n's time where nothing is shown either", 0, {}, SINCE],
])('of a form those are new that are not older than %s', async (_, count, headers, since) => {
	scene = aScene({ authentication: 'apiKey' });
	scene.responses = responsesOf(count);
	scene.headers = headers;
	await scene.start();
	const baseline = scene.responses.map(responseKey);
	expect(stateIn(scene.stored)).toMatchObject({ since, baseline });
});
