import { assertReachable } from '../../../../../../nodes/FormResponses/trigger/subscribe/ownAddress';
import { hookContextOf } from '../../../../kit/hookMethods';
import { keepLogs, warningsIn } from '../../../../kit/logs';
import { BASE_URL } from '../../../../kit/formService';
import { aWorkflow, trigger } from '../trigger.fixture';

const LOCAL = /cannot reach this n8n at http:.*WEBHOOK_URL.*Or use an API key/;
const PRIVATE = /may not reach this n8n at http:.*WEBHOOK_URL/;
const isNotWhole = (origin: string) =>
	new RegExp(`is not whole: ${origin}\\. .*WEBHOOK_URL.*https:`);

test.each<[string, RegExp | undefined, RegExp[]]>([
	['https://n8n.example.org', undefined, []],
	['http://192.168.1.5:5678', undefined, [PRIVATE]],
	['http://127.0.0.1:5678', LOCAL, []],
	['n8n.example.org', isNotWhole('n8n.example.org'), []],
	['n8n.example.org:5678', isNotWhole('n8n.example.org:5678'), []],
	['localhost:5678', isNotWhole('localhost:5678'), []],
])('n8n at %s, the service elsewhere: refused with %s, warned with %j', (...row) => {
	const [origin, refusal, warnings] = row;
	const logs = keepLogs(trigger);
	const context = hookContextOf(aWorkflow());
	const assert = () => assertReachable(context, BASE_URL, `${origin}/webhook`);
	if (refusal) expect(assert).toThrow(refusal);
	else assert();
	expect(warningsIn(logs)).toEqual(warnings.map((said): unknown => expect.stringMatching(said)));
});
