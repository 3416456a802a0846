import type { IDataObject } from 'n8n-workflow';
import { ACCESS_TOKEN } from '../../../../kit/credentials';
import { ok, reply, type Reply } from '../../../../kit/formService';
import { anError, aResponse, RESPONSE_ID, SIMPLIFIED } from '../../../../kit/samples';
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

const odd = aResponse({ answers: 'none' as never });
const ODD = `forms.example.com answered GET /responses/${RESPONSE_ID} with JSON whose data.answers is not as documented. Report it to the form service.`;
const ABSENT =
	'the response does not exist or belongs to another workspace. Check its ID, and the workspace of the credential.';

test.each<[string, times: number, Reply, told: string]>([
	['there is none', 1, reply(404, anError('not_found', 'Not here')), ABSENT],
	['it has no list of answers', 4, ok(odd), ODD],
])('says what is wrong where %s', async (_, times, answer, told) => {
	const { items, message, sent } = await get(Array<Reply>(times).fill(answer));
	expect([items, message]).toEqual([[], `Could not read response ${RESPONSE_ID}: ${told}`]);
	expect(sent).toHaveLength(times);
});

test.each([
	['../me', '"../me"'],
	[' ', 'empty'],
])('refuses the ID %j, before any request', async (responseId, shown) => {
	const { message, sent } = await get([], { responseId });
	expect(message).toMatch(`The parameter "Response ID" is ${shown}. Enter a UUID such as`);
	expect(sent).toEqual([]);
});
