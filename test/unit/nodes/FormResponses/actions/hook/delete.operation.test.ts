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

test('an answer that is not documented is no deletion', async () => {
	const { items, message, sent } = await actOn('hook:delete', CALL, Array(4).fill(ok({ a: 1 })));
	expect([items, message]).toEqual([
		[],
		`Could not remove hook ${HOOK_ID}: forms.example.com answered ${CALL} with unknown JSON. Report it to the form service.`,
	]);
	expect(sent).toHaveLength(4);
});

test.each([
	['../me', '"../me"'],
	[' ', 'empty'],
])('refuses the ID %j, before any request', async (hookId, shown) => {
	const { message, sent } = await actOn('hook:delete', CALL, [], { hookId });
	expect(message).toMatch(`The parameter "Hook ID" is ${shown}. Enter a UUID such as`);
	expect(sent).toEqual([]);
});
