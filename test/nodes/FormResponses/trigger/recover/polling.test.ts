import { keepLogs } from '../../../../in-process/logs';
import { aResponse, anError, idOf, responsesOf } from '../../../../samples';
import { refused } from '../../../../service';
import type { Scene } from './scene.fixture';
import { aScene, MINUTE } from './scene.fixture';
import { idsIn, trigger } from '../trigger.fixture';

let scene: Scene;

afterEach(async () => {
	await scene.stop();
});

/** A trigger that has looked once; reading what is there already is no look. */
async function polling(parameters = {}) {
	scene = aScene({ authentication: 'apiKey', pollInterval: 1, ...parameters });
	scene.responses = responsesOf(2);
	await scene.start();
	await scene.clock.pass(10_000);
	expect(scene.looks.splice(0)).toEqual([0, 3]);
}

const idsOf = (...numbers: number[]) => numbers.map((n) => idOf(n, 2));

test('brings a response of the same second as the newest one before', async () => {
	await polling();
	const { completedAt } = scene.responses[0].data;
	scene.responses = [aResponse({ responseId: idOf(9, 2), completedAt }), ...scene.responses];
	await scene.minutes(1);
	expect(idsIn(scene.trigger.runs)).toEqual([idsOf(9)]);
});

test('brings a response again that was there before and is completed again', async () => {
	await polling();
	const [newest, oldest] = scene.responses;
	const again = aResponse({
		responseId: oldest.data.responseId,
		completedAt: '2026-03-01T12:30:00.000Z',
	});
	scene.responses = [again, newest];
	await scene.minutes(2);
	expect(idsIn(scene.trigger.runs)).toEqual([idsOf(1)]);
});

test('pasted anew under the same name brings what the first one had not brought, and nothing again', async () => {
	await polling();
	scene.responses = responsesOf(4);
	await scene.minutes(1);
	await scene.unpublish();
	scene.responses = responsesOf(5);
	scene.stored.nodeId = 'pasted';
	await scene.publishAgain();
	await scene.minutes(2);
	expect(idsIn(scene.trigger.runs)).toEqual([idsOf(5)]);
});

test('keeps to its interval, whatever the pace of the form', async () => {
	await polling({ pollInterval: 5 });
	await scene.minutes(4);
	expect(scene.looks).toEqual([]);
	await scene.minutes(26);
	expect(scene.looks).toHaveLength(6);
});

test('does not read twice at the same time', async () => {
	await polling();
	scene.trigger.tick();
	scene.trigger.tick();
	scene.trigger.tick();
	await scene.clock.pass(MINUTE);
	expect(scene.looks).toHaveLength(1);
});

test('brings each new response once, and takes none for one that a hook should have delivered', async () => {
	await polling();
	for (let count = 3; count < 8; count++) {
		scene.responses = responsesOf(count);
		await scene.minutes(1);
	}
	expect(idsIn(scene.trigger.runs)).toEqual([3, 4, 5, 6, 7].map((n) => idsOf(n)));
	expect(scene.service.calls().every((call) => call.startsWith('GET'))).toBe(true);
});

test('after a failure of minutes, the next look comes with the interval', async () => {
	keepLogs(trigger);
	await polling({ pollInterval: 2 });
	scene.failure = refused(403, anError('insufficient_scope', 'No'));
	await scene.minutes(20);
	const gaps = scene.looks.slice(1).map((second, n) => second - scene.looks[n]);
	expect(gaps).toEqual([60, 60, 60, 60, 60, 120, 120, 120, 120, 120, 120]);
	scene.failure = undefined;
	scene.responses = responsesOf(3);
	await scene.minutes(2);
	expect(idsIn(scene.trigger.runs)).toEqual([idsOf(3)]);
});

test('a full page of which the oldest was missed is told of', async () => {
	await polling();
	scene.responses = responsesOf(30).slice(0, 25);
	await scene.minutes(1);
	const [run] = scene.trigger.runs;
	expect(run.map(({ isOldestShown }) => isOldestShown)).toEqual([
		true,
		...Array<boolean>(24).fill(false),
	]);
});

test('a run that n8n did not survive is emitted anew after the start, under another key', async () => {
	await polling({ pollInterval: 5 });
	scene.responses = responsesOf(3);
	await scene.minutes(5);
	const [{ deduplicationKey }] = scene.trigger.emitted;
	await scene.stop();
	await scene.start();
	await scene.clock.pass(10_000);
	expect(idsIn(scene.trigger.runs)).toEqual([idsOf(3)]);
	expect(scene.trigger.emitted[0].deduplicationKey).not.toBe(deduplicationKey);
});

test('existing responses run at the first publication where wanted, oldest first', async () => {
	scene = aScene({ authentication: 'apiKey', pollInterval: 1, options: { existing: true } });
	scene.responses = responsesOf(3);
	await scene.start();
	await scene.minutes(3);
	expect(idsIn(scene.trigger.runs)).toEqual([idsOf(1, 2, 3)]);
});
