import { FormResponses } from '../../../../../nodes/FormResponses/FormResponses.node';
import { execute } from '../../../../in-process/execute';
import { aForm, FORM_ID, formsOf, idOf, OTHER_FORM_ID } from '../../../../samples';
import { fakeService, ok } from '../../../../service';

const getForm = async (value: string, onError?: 'continueRegularOutput') =>
	await execute({
		type: new FormResponses(),
		parameters: { resource: 'form', operation: 'get', formId: { mode: 'id', value } } as never,
		...(onError && { onError }),
	});

/** Two pages, the second of which has the form in another spelling. */
function servePages() {
	const service = fakeService();
	const form = aForm({ id: FORM_ID.toUpperCase(), title: null, updatedAt: null } as never);
	service.on(
		'GET',
		'/forms',
		ok({ data: formsOf(2), nextCursor: idOf(2, 9) }),
		ok({ data: [form], nextCursor: null }),
	);
	return { service, form };
}

test('gives the form, as the API sent it, wherever it is in the list', async () => {
	const { service, form } = servePages();
	expect((await getForm(FORM_ID)).items).toEqual([{ json: form, pairedItem: { item: 0 } }]);
	expect(service.sent.map(({ query }) => query)).toEqual([
		{ limit: '100' },
		{ limit: '100', cursor: idOf(2, 9) },
	]);
});

test('reads no further than the form', async () => {
	const { service } = servePages();
	const { items } = await getForm(idOf(2, 1));
	expect(items.map(({ json }) => json.title)).toEqual(['Form 2']);
	expect(service.sent).toHaveLength(1);
});

test('a form that is updated while the list is read has come to its first page', async () => {
	const { service } = servePages();
	const moved = aForm({ id: OTHER_FORM_ID, title: 'Moved' });
	service.on('GET', '/forms', ok({ data: [moved], nextCursor: idOf(2, 9) }));
	const { items } = await getForm(OTHER_FORM_ID);
	expect(items.map(({ json }) => json.title)).toEqual(['Moved']);
	expect(service.sent).toHaveLength(3);
});

test('a form that the list does not have is an error as the API would give it', async () => {
	const { service } = servePages();
	service.on('GET', '/forms', ok({ data: formsOf(2), nextCursor: idOf(2, 9) }));
	const { items } = await getForm(OTHER_FORM_ID, 'continueRegularOutput');
	const message = `Could not read form ${OTHER_FORM_ID}: the form was deleted or belongs to another workspace. Check its ID, and the workspace of the credential.`;
	expect(items).toEqual([
		{
			json: { error: { message, status: 404, code: 'not_found', hint: null, docs: null } },
			pairedItem: { item: 0 },
		},
	]);
});

test('an ID that is none is refused before any request', async () => {
	const service = fakeService();
	const { error } = await getForm('={{ "contact" }}');
	expect(error?.message).toMatch(/^The parameter "Form" is "contact"\./);
	expect(service.sent).toEqual([]);
});
