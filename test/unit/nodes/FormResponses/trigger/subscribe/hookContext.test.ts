import { startClock } from '../../../../kit/clock';
import { SECRETS } from '../../../../kit/credentials';
import { everythingIn } from '../../../../kit/allText';
import { activate } from '../../../../kit/hookMethods';
import { keepLogs } from '../../../../kit/logs';
import { queryOf } from '../../../../kit/delivery';
import { anError } from '../../../../kit/samples';
import { fakeService, reply } from '../../../../kit/formService';
import { aWorkflow, targetsOf, trigger } from '../trigger.fixture';

test('no token or key is shown, even if the service repeats it', async () => {
	startClock();
	const logs = keepLogs(trigger);
	const service = fakeService();
	service.always('POST', '/hooks', ({ authorization, body }) => {
		const said = `${authorization} ${JSON.stringify(body)}`;
		return reply(400, anError('invalid_request', said, String(authorization)));
	});
	const error: unknown = await activate(aWorkflow()).catch((thrown: unknown) => thrown);
	const [key] = targetsOf(service).map((url) => queryOf(url).key);
	const shown = `${everythingIn(error)} ${JSON.stringify(logs)}`;
	expect(shown).toContain('Could not subscribe to form');
	for (const secret of [...SECRETS, key.split('.')[1]]) expect(shown).not.toContain(secret);
});
