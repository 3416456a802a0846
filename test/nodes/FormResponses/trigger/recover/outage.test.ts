import { createOutage } from '../../../../../nodes/FormResponses/trigger/recover/outage';
import { startClock, type Clock } from '../../../../clock';
import { keepLogs } from '../../../../in-process/logs';
import { aTriggerContext } from '../../../../in-process/trigger';
import { aWorkflow, trigger } from '../trigger.fixture';

const MINUTE = 60_000;

let clock: Clock;

beforeEach(() => {
	clock = startClock({ standing: true });
});

/** Fails once a minute. */
async function fail(outage: ReturnType<typeof createOutage>, minutes: number) {
	for (let n = 0; n <= minutes; n++) {
		outage.failed(new Error('The reason'));
		await clock.pass(MINUTE);
	}
}

function anOutage(isOldN8n = false) {
	const logs = keepLogs(trigger);
	const { context, failures } = aTriggerContext(aWorkflow(), { isOldN8n });
	const levels = () => logs.map(({ level }) => level);
	return { outage: createOutage(context, 'do it'), failures, logs, levels };
}

test.each([
	['as a failed execution', false],
	['in the log alone by an n8n that notes none', true],
])('a failure is a warning, and told after a quarter of an hour %s', async (_, isOldN8n) => {
	const { outage, failures, logs, levels } = anOutage(isOldN8n);
	await fail(outage, 14);
	expect([levels(), failures]).toEqual([['warn'], []]);
	await fail(outage, 60);
	expect(levels()).toEqual(['warn', 'error']);
	expect(logs[0].message).toMatch(/^"Forms" could not do it and tries again: The reason/);
	const message = '"Forms" could not do it for 15 minutes: The reason';
	const description = expect.stringMatching(/keeps trying/) as string;
	const failure = expect.objectContaining({ message, description }) as Error;
	expect(failures).toEqual(isOldN8n ? [] : [failure]);
});

test('what worked in between begins another spell, and is told once a failure was', async () => {
	const { outage, failures, logs, levels } = anOutage();
	for (const minutes of [10, 10, 20, 20]) {
		await fail(outage, minutes);
		outage.worked();
		outage.worked();
	}
	const told = ['warn', 'error', 'info'];
	expect([levels(), failures.length]).toEqual([['warn', 'warn', ...told, ...told], 2]);
	expect(logs.pop()!.message).toMatch(/^"Forms" could do it again/);
});
