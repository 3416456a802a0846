import { tellFailure } from '../../../../../../nodes/FormResponses/trigger/recover/failure';
import { keepLogs } from '../../../../kit/logs';
import { aTriggerContext } from '../../../../kit/trigger';
import { aWorkflow, trigger } from '../trigger.fixture';

test.each([
	['as a failed execution too', false],
	['in the log alone by an n8n that notes none', true],
])('a failure is told %s', (_, isOldN8n) => {
	const logs = keepLogs(trigger);
	const { context, failures } = aTriggerContext(aWorkflow(), { isOldN8n });
	const told = { message: 'It failed', description: 'What to do' };
	tellFailure(context, told.message, told.description);
	const message = expect.stringMatching('It failed') as string;
	expect(logs).toEqual([{ level: 'error', message }]);
	expect(failures).toEqual(isOldN8n ? [] : [expect.objectContaining(told)]);
});
