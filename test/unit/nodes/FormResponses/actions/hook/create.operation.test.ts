import type { IDataObject } from 'n8n-workflow';
import { ACCESS_TOKEN } from '../../../../kit/credentials';
import { fault, reply, type Reply } from '../../../../kit/formService';
import { aHook, FORM_ID } from '../../../../kit/samples';
import { actOn, TARGET_URL } from '../operation.fixture';

type Value = IDataObject[string];

const create = async (replies: Reply[], targetUrl: Value = TARGET_URL) =>
	await actOn('hook:create', 'POST /hooks', replies, { targetUrl });

test('asks the service to send responses to the target, and gives the hook', async () => {
	const hook = aHook({ targetUrl: TARGET_URL });
	const { items, sent } = await create([reply(201, hook)], `\u00a0${TARGET_URL} `);
	expect(items).toEqual([{ json: hook, pairedItem: { item: 0 } }]);
	const body = { formId: FORM_ID, targetUrl: TARGET_URL };
	expect(sent).toEqual([{ query: {}, body, authorization: `Bearer ${ACCESS_TOKEN}` }]);
});

test('is not tried again where the answer is lost, as the hook may have been made', async () => {
	const { message, sent } = await create([fault('ECONNRESET')]);
	expect(message).toBe(
		`Could not subscribe to form ${FORM_ID}: the connection to forms.example.com broke off. The hook may have been made: the API cannot list hooks, and trying again may make a second one.`,
	);
	expect(sent).toHaveLength(1);
});

test.each<[Value, string]>([
	['a.b', '"a.b"'],
	['ftp://a.b', '"ftp://a.b"'],
	['xhttp://a.b', '"xhttp://a.b"'],
	['httpx://a.b', '"httpx://a.b"'],
	['javascript:x', '"javascript:x"'],
	['//a.b', '"//a.b"'],
	['http://', '"http://"'],
	['   ', 'empty'],
	[5, '5'],
	[[TARGET_URL], `["${TARGET_URL}"]`],
])('refuses the target %j, before any request', async (targetUrl, shown) => {
	const { message, sent } = await create([], targetUrl);
	const rule = 'Enter a whole address that begins with http:// or https://.';
	expect(message).toBe(`The parameter "Target URL" is ${shown}. ${rule}`);
	expect(sent).toEqual([]);
});
