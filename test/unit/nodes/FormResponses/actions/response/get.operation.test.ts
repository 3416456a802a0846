import type { IDataObject } from 'n8n-workflow';
import { ACCESS_TOKEN } from '../../../../kit/credentials';
import { ok, type Reply } from '../../../../kit/formService';
import { aResponse, FORM_ID, RESPONSE_ID, SIMPLIFIED } from '../../../../kit/samples';
import { actOn } from '../operation.fixture';

const get = async (replies: Reply[], parameters: IDataObject = {}) =>
	await actOn('response:get', `GET /responses/${RESPONSE_ID}`, replies, parameters);

const raw = { options: { answerKeys: 'fieldId', answerValues: 'rawValue' } };

test.each<[IDataObject, json: object]>([
	[{ responseId: ` ${RESPONSE_ID.toUpperCase()} ` }, SIMPLIFIED],
	[{ simplify: false }, aResponse()],
	[raw, { ...SIMPLIFIED, answers: { 'field-1': 'Robin' } }],
])('gives the response, with %j', async (parameters, json) => {
	const { items, sent } = await get([ok(aResponse())], parameters);
	expect(items).toEqual([{ json, pairedItem: { item: 0 } }]);
	expect(sent).toEqual([{ query: {}, authorization: `Bearer ${ACCESS_TOKEN}` }]);
});

test('a response without a list of answers comes as the service gives it', async () => {
	const odd = aResponse({ answers: 'none' as never, metadata: null as never });
	expect((await get([ok(odd)])).items).toEqual([{ json: odd, pairedItem: { item: 0 } }]);
});

test('another response is asked for again, and then told', async () => {
	const other = ok(aResponse({ responseId: FORM_ID }));
	const { message, sent } = await get(Array(4).fill(other));
	expect(message).toBe(
		`Could not read response ${RESPONSE_ID}: forms.example.com answered GET /responses/${RESPONSE_ID} with JSON whose data.responseId is not as documented. Report it to the form service.`,
	);
	expect(sent).toHaveLength(4);
});

test.each([
	['../me', '"../me"'],
	[' ', 'empty'],
])('refuses the ID %j, before any request', async (responseId, shown) => {
	const { message, sent } = await get([], { responseId });
	expect(message).toMatch(`The parameter "Response ID" is ${shown}. Enter a UUID such as`);
	expect(sent).toEqual([]);
});
