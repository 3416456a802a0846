import type { Clock } from '../../../clock';
import { startClock } from '../../../clock';
import { activate } from '../../../n8n/hook';
import { keepLogs } from '../../../n8n/logs';
import type { StartedTrigger } from '../../../n8n/trigger';
import { startTrigger } from '../../../n8n/trigger';
import type { Stored } from '../../../n8n/workflow';
import { aResponse, FORM_ID, idOf, responsesOf } from '../../../samples';
import type { FakeService } from '../../../service';
import { fakeService } from '../../../service';
import { aWorkflow, idsIn, serveResponses, trigger } from './trigger.fixture';

const MINUTE = 60_000;

const PATH = `/forms/${FORM_ID}/responses`;

let clock: Clock;

let service: FakeService;

let started: StartedTrigger[];

beforeEach(() => {
	clock = startClock();
	service = fakeService();
	started = [];
});

afterEach(async () => {
	await Promise.all(started.map(async ({ close }) => await close()));
});

async function start(stored: Stored, mode?: 'manual') {
	const one = await startTrigger(stored, mode);
	started.push(one);
	return one;
}

const reads = () => service.calls().filter((call) => call === `GET ${PATH}`).length;

describe('a polling trigger', () => {
	let now: ReturnType<typeof responsesOf>;

	async function polling(parameters = {}) {
		now = responsesOf(2);
		serveResponses(service, () => now);
		const stored = aWorkflow({ authentication: 'apiKey', pollInterval: 1, ...parameters });
		await activate(stored);
		const { tick, ...one } = await start(stored);
		await clock.pass(10_000);
		expect(reads()).toBe(2);
		return {
			...one,
			tick,
			minute: async () => {
				tick();
				await clock.pass(MINUTE);
			},
		};
	}

	test('is called once a minute, at a second of its own', async () => {
		const { crons } = await polling();
		expect(crons).toEqual([expect.stringMatching(/^[0-5]?\d \* \* \* \* \*$/)]);
	});

	test('brings each new response once', async () => {
		const { runs, minute } = await polling();
		await minute();
		now = responsesOf(4);
		await minute();
		await minute();
		expect(reads()).toBe(5);
		expect(idsIn(runs)).toEqual([[3, 4].map((n) => idOf(n, 2))]);
	});

	test('brings a response of the same second as the newest one before', async () => {
		const { runs, minute } = await polling();
		now = [aResponse({ responseId: idOf(9, 2), completedAt: now[0].data.completedAt }), ...now];
		await minute();
		expect(idsIn(runs)).toEqual([[idOf(9, 2)]]);
	});

	test('keeps to its interval', async () => {
		const { minute } = await polling({ pollInterval: 5 });
		for (let minutes = 1; minutes <= 4; minutes++) await minute();
		expect(reads()).toBe(2);
		await minute();
		expect(reads()).toBe(3);
	});

	test('does not read twice at the same time', async () => {
		const { tick } = await polling();
		tick();
		tick();
		tick();
		await clock.pass(MINUTE);
		expect(reads()).toBe(3);
	});

	test('goes on after a failure', async () => {
		keepLogs(trigger);
		const { runs, minute } = await polling();
		now = [{ broken: true }] as never;
		await minute();
		now = responsesOf(3);
		await minute();
		expect(idsIn(runs)).toEqual([[idOf(3, 2)]]);
	});

	test('a wrong interval is refused by name', async () => {
		const stored = aWorkflow({ authentication: 'apiKey', pollInterval: 0 });
		await expect(start(stored)).rejects.toThrow(/^The parameter "Poll Interval" is "0"/);
	});
});
