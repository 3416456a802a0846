import { aForm, FORM_ID, formsOf, idOf, OTHER_FORM_ID } from '../../../../samples';
import { fakeService, ok } from '../../../../service';
import { act, formBy } from '../operation.fixture';

const getForm = async (id: string) =>
	await act('form:get', { formId: formBy('id', id) }, { onError: 'continueRegularOutput' });

/** Two pages; the second has the form in another spelling. */
function servePages() {
	const service = fakeService();
	const form = aForm({ id: FORM_ID.toUpperCase(), title: null, updatedAt: null } as never);
	const first = ok({ data: formsOf(2), nextCursor: idOf(2, 9) });
	service.on('GET', '/forms', first, ok({ data: [form], nextCursor: null }));
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
	expect([items[0].json.title, service.sent.length]).toEqual(['Form 2', 1]);
});

test('a form that is updated while the list is read has come to its first page', async () => {
	const { service } = servePages();
	const moved = aForm({ id: OTHER_FORM_ID, title: 'Moved' });
	service.on('GET', '/forms', ok({ data: [moved], nextCursor: idOf(2, 9) }));
	const { items } = await getForm(OTHER_FORM_ID);
	expect([items[0].json.title, service.sent.length]).toEqual(['Moved', 3]);
});

test('a form that the list does not have is an error as the API would give it', async () => {
	const { service } = servePages();
	service.on('GET', '/forms', ok({ data: formsOf(2), nextCursor: idOf(2, 9) }));
	const { items } = await getForm(OTHER_FORM_ID);
	const message = `Could not read form ${OTHER_FORM_ID}: the form does not exist or belongs to another workspace. Check its ID, and the workspace of the credential.`;
	const error = { message, status: 404, code: 'not_found', hint: null, docs: null };
	expect(items).toEqual([{ json: { error }, pairedItem: { item: 0 } }]);
});

test('an ID that is none is refused before any request', async () => {
	const service = fakeService();
	const { items } = await getForm('={{ "contact" }}');
	const message = expect.stringMatching(/^The parameter "Form" is "contact"\./) as string;
	expect(items[0].json.error).toMatchObject({ message });
	expect(service.sent).toEqual([]);
});
