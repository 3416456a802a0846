import type { IDataObject } from 'n8n-workflow';
import { FormResponses } from '../../../../../nodes/FormResponses/FormResponses.node';
import { startClock } from '../../../../clock';
import { execute } from '../../../../in-process/execute';
import { anError, HOOK_ID } from '../../../../samples';
import { fakeService, fault, ok, refused } from '../../../../service';

const type = new FormResponses();
const PATH = `/hooks/${HOOK_ID}`;

const deleteHook = async (parameters: IDataObject = {}) =>
	await execute({
		type,
		parameters: { resource: 'hook', operation: 'delete', hookId: HOOK_ID, ...parameters } as never,
	});

const deleted = [{ json: { deleted: true, id: HOOK_ID }, pairedItem: { item: 0 } }];

test.each([
	['removed', refused(204)],
	['already gone, as 404', refused(404, anError('not_found', 'No such hook'))],
])('%s', async (_, reply) => {
	const service = fakeService();
	service.on('DELETE', PATH, reply);
	const { items, error } = await deleteHook();
	expect(error).toBeUndefined();
	expect(items).toEqual(deleted);
	expect(service.calls()).toEqual([`DELETE ${PATH}`]);
});

test('a 404 that is not of the API is not taken for a hook that is gone', async () => {
	fakeService().on('DELETE', PATH, refused(404, '<html>Not found</html>'));
	const { error, items } = await deleteHook();
	expect(error?.message).toMatch(/^Could not remove hook .* answered 404/);
	expect(items).toEqual([]);
});

test('a lost answer is no loss, as deleting may be repeated', async () => {
	startClock();
	const service = fakeService();
	service.on('DELETE', PATH, fault('ECONNRESET'), refused(204));
	expect((await deleteHook()).items).toEqual(deleted);
});

test('a 200 with a body is not taken for a removal', async () => {
	startClock();
	fakeService().always('DELETE', PATH, ok({ maintenance: true }));
	const { error, items } = await deleteHook();
	expect(error?.message).toMatch(/^Could not remove hook .*with unknown JSON\. Report/);
	expect(items).toEqual([]);
});

test.each(['../me', 'a/b', ' '])('%j is refused by name, before any request', async (hookId) => {
	const service = fakeService();
	const { error } = await deleteHook({ hookId });
	expect(error?.message).toMatch(/^The parameter "Hook ID" is .*Enter a UUID such as/);
	expect(service.sent).toEqual([]);
});
