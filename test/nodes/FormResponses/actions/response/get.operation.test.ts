import type { IDataObject } from 'n8n-workflow';
import { FormResponses } from '../../../../../nodes/FormResponses/FormResponses.node';
import { startClock } from '../../../../clock';
import { execute } from '../../../../in-process/execute';
import { anError, aResponse, FORM_ID, RESPONSE_ID } from '../../../../samples';
import { fakeService, ok, refused } from '../../../../service';

const type = new FormResponses();

const getResponse = async (parameters: IDataObject = {}) =>
	await execute({
		type,
		parameters: {
			resource: 'response',
			operation: 'get',
			responseId: RESPONSE_ID,
			...parameters,
		} as never,
	});

test('gives the response, simplified', async () => {
	const service = fakeService();
	service.on('GET', `/responses/${RESPONSE_ID}`, ok(aResponse()));
	const { items } = await getResponse({ responseId: ` ${RESPONSE_ID.toUpperCase()} ` });
	expect(items).toEqual([
		{
			json: {
				responseId: RESPONSE_ID,
				formId: FORM_ID,
				formTitle: 'Contact',
				respondentEmail: 'robin@example.com',
				completedAt: '2026-03-01T11:59:00.000Z',
				answers: { Name: 'Robin' },
				hiddenFields: { source: 'newsletter' },
			},
			pairedItem: { item: 0 },
		},
	]);
	expect(service.calls()).toEqual([`GET /responses/${RESPONSE_ID}`]);
});

test('gives the envelope as the API sent it', async () => {
	fakeService().on('GET', `/responses/${RESPONSE_ID}`, ok(aResponse()));
	const { items } = await getResponse({ simplify: false });
	expect(items[0].json).toEqual(aResponse());
});

test('names answers by field and gives raw values', async () => {
	fakeService().on('GET', `/responses/${RESPONSE_ID}`, ok(aResponse()));
	const options = { answerKeys: 'fieldId', answerValues: 'rawValue' };
	const { items } = await getResponse({ options });
	expect(items[0].json.answers).toEqual({ 'field-1': 'Robin' });
});

test.each(['../me', 'a/b', ' ', 'x'.repeat(10_000)])(
	'%j is refused by name, before any request',
	async (responseId) => {
		const service = fakeService();
		const { error } = await getResponse({ responseId });
		expect(error?.message).toMatch(/^The parameter "Response ID" is .*Enter a UUID such as/);
		expect(service.sent).toEqual([]);
	},
);

test('a response that is not there says so', async () => {
	const body = anError('not_found', 'No such response', 'Check the ID');
	fakeService().on('GET', `/responses/${RESPONSE_ID}`, refused(404, body));
	const { error } = await getResponse();
	expect(error?.message).toBe(
		`Could not read response ${RESPONSE_ID}: the response was deleted or belongs to another workspace. Check its ID, and the workspace of the credential.`,
	);
	expect(error?.description).toContain('Code: not_found');
});

test('a response without the documented fields is an error, not half an item', async () => {
	const { data, ...rest } = aResponse();
	const body = { ...rest, data: { ...data, answers: 'none' } };
	startClock();
	fakeService().always('GET', `/responses/${RESPONSE_ID}`, ok(body));
	const { error, items } = await getResponse();
	expect(error?.message).toMatch(/whose data\.answers is not as documented/);
	expect(items).toEqual([]);
});
