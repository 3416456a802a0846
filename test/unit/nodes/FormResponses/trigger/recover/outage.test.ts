import { createOutage } from '../../../../../../nodes/FormResponses/trigger/recover/outage';
import { startClock } from '../../../../kit/clock';
import { keepLogs } from '../../../../kit/logs';
import { aTriggerContext } from '../../../../kit/trigger';
import { aWorkflow, trigger } from '../trigger.fixture';

const MINUTE = 60_000;

function anOutage() {
	const clock = startClock({ standing: true });
	const logs = keepLogs(trigger);
	const { context, failures } = aTriggerContext(aWorkflow());
	const { failed, worked } = createOutage(context, 'do it');
	const levels = () => logs.map(({ level }) => level);
	/** Once a minute. */
	async function fail(minutes: number) {
		for (let n = 0; n <= minutes; n++) {
			failed(new Error('The reason'));
			await clock.pass(MINUTE);
		}
	}
	return { fail, worked, failures, logs, levels };
}

test('a failure is a warning, and told once after a quarter of an hour', async () => {
	const { fail, failures, logs, levels } = anOutage();
	await fail(14);
	expect([levels(), failures]).toEqual([['warn'], []]);
	await fail(60);
	expect(levels()).toEqual(['warn', 'error']);
	expect(logs[0].message).toMatch(/^"Forms" could not do it and tries again: The reason/);
	const message = '"Forms" could not do it for 15 minutes: The reason';
	const description = expect.stringMatching(/keeps trying/) as string;
	expect(failures).toEqual([expect.objectContaining({ message, description })]);
});

test('what worked in between begins another spell, and is told once a failure was', async () => {
	const { fail, worked, failures, logs, levels } = anOutage();
	for (const minutes of [10, 10, 20, 20]) {
		await fail(minutes);
		worked();
		worked();
	}
	const told = ['warn', 'error', 'info'];
	expect([levels(), failures.length]).toEqual([['warn', 'warn', ...told, ...told], 2]);
	expect(logs.pop()!.message).toMatch(/^"Forms" could do it again/);
});
