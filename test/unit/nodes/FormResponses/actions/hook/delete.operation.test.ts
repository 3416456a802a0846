import { fault, ok, reply, type Reply } from '../../../../kit/formService';
import { anError, HOOK_ID } from '../../../../kit/samples';
import { actOn } from '../operation.fixture';

const CALL = `DELETE /hooks/${HOOK_ID}`;

test.each<[string, Reply[]]>([
	['was deleted', [reply(204)]],
	['had been deleted before', [reply(404, anError('not_found', 'Not here'))]],
	['was deleted, though its answer was lost', [fault('ECONNRESET'), reply(204)]],
])('tells that a hook %s', async (_, replies) => {
	const { items, sent } = await actOn('hook:delete', CALL, replies);
	expect(items).toEqual([{ json: { deleted: true, id: HOOK_ID }, pairedItem: { item: 0 } }]);
	expect(sent).toHaveLength(replies.length);
});

const ODD = `forms.example.com answered ${CALL} with unknown JSON. Report it to the form service.`;
const NO_SERVICE =
	'forms.example.com answered 404 with an HTML page rather than an API error. Check the Base URL of the credential, and any proxy or firewall on the way.';

test.each<[string, times: number, Reply, told: string]>([
	['a page that was not found', 1, reply(404, '<html>Not found</html>'), NO_SERVICE],
	['an answer that is not documented', 4, ok({ maintenance: true }), ODD],
])('takes %s for no deletion', async (_, times, answer, told) => {
	const { items, message, sent } = await actOn('hook:delete', CALL, Array(times).fill(answer));
	expect([items, message]).toEqual([[], `Could not remove hook ${HOOK_ID}: ${told}`]);
	expect(sent).toHaveLength(times);
});

test.each([
	['../me', '"../me"'],
	[' ', 'empty'],
])('refuses the ID %j, before any request', async (hookId, shown) => {
	const { message, sent } = await actOn('hook:delete', CALL, [], { hookId });
	expect(message).toMatch(`The parameter "Hook ID" is ${shown}. Enter a UUID such as`);
	expect(sent).toEqual([]);
});
