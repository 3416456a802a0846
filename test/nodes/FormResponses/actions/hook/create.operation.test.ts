import type { IDataObject } from 'n8n-workflow';
import { FormResponses } from '../../../../../nodes/FormResponses/FormResponses.node';
import { execute } from '../../../../in-process/execute';
import { aHook, anError, FORM_ID } from '../../../../samples';
import type { Reply } from '../../../../service';
import { fakeService, fault, refused } from '../../../../service';

const type = new FormResponses();
const TARGET_URL = 'https://example.com/new-response?from=n8n';

const createHook = async (parameters: IDataObject = {}) =>
	await execute({
		type,
		parameters: {
			resource: 'hook',
			operation: 'create',
			formId: { __rl: true, mode: 'id', value: FORM_ID },
			targetUrl: TARGET_URL,
			...parameters,
		} as never,
	});

test('subscribes the URL and gives the hook', async () => {
	const service = fakeService();
	const hook = aHook({ targetUrl: TARGET_URL });
	service.on('POST', '/hooks', refused(201, hook));
	const { items } = await createHook({ targetUrl: ` ${TARGET_URL} ` });
	expect(items).toEqual([{ json: hook, pairedItem: { item: 0 } }]);
	expect(service.sent).toEqual([
		expect.objectContaining({ body: { formId: FORM_ID, targetUrl: TARGET_URL } }),
	]);
});

test.each<[unknown, string]>([
	['example.com', 'is "example.com"'],
	['ftp://example.com/x', 'is "ftp://example.com/x"'],
	['javascript:alert(1)', 'is "javascript:alert(1)"'],
	['//example.com', 'is "//example.com"'],
	['   ', 'is empty'],
])('a target URL %j is refused by name, before any request', async (targetUrl, got) => {
	const service = fakeService();
	const { error } = await createHook({ targetUrl: targetUrl as string });
	expect(error?.message).toBe(
		`The parameter "Target URL" ${got}. Enter a whole address that begins with http:// or https://.`,
	);
	expect(service.sent).toEqual([]);
});

test.each<[string, Reply, RegExp]>([
	['500', refused(500), /failed \(500\)/],
	['ECONNRESET', fault('ECONNRESET'), /broke off/],
])('is never repeated after %s, as the hook may have been made', async (_, reply, message) => {
	const service = fakeService();
	service.on('POST', '/hooks', reply);
	const { error } = await createHook();
	expect(error?.message).toMatch(message);
	expect(service.sent).toHaveLength(1);
});

test('an API key is told that it cannot subscribe', async () => {
	fakeService().on('POST', '/hooks', refused(403, anError('insufficient_scope', 'Not allowed')));
	const { error } = await createHook({ authentication: 'apiKey' });
	expect(error?.message).toMatch(
		/: an API key can only read responses\. Use an OAuth2 credential instead\.$/,
	);
});

test('too many subscriptions says how to make room', async () => {
	const body = anError('invalid_request', 'Too many subscriptions');
	fakeService().on('POST', '/hooks', refused(400, body));
	const { error } = await createHook();
	expect(error?.message).toMatch(/Unpublish a workflow .* or remove a hook with Hook: Delete/);
});
