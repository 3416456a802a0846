import type { OnError } from 'n8n-workflow';
import { aForm, anError, FORM_ID, formsOf, idOf, OTHER_FORM_ID } from '../../../../kit/samples';
import { fakeService, ok, reply } from '../../../../kit/formService';
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

test('a form that is updated while the list is read is found on its first page', async () => {
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

describe('many items', () => {
	const getEach = async (ids: string[], maxConcurrency: number, onError?: OnError) => {
		const parameters = { formId: formBy('id', '={{ $json.id }}'), options: { maxConcurrency } };
		return await act('form:get', parameters, { items: ids.map((id) => ({ id })), onError });
	};

	const goOn = async (ids: string[], maxConcurrency: number) => {
		const { items } = await getEach(ids, maxConcurrency, 'continueRegularOutput');
		return items.map(({ json }) => json.id ?? (json.error as { status: number }).status);
	};

	test.each([1, 50])('share one reading of the list: %i at once', async (maxConcurrency) => {
		const { service, form } = servePages();
		service.on('GET', '/forms', ok({ data: formsOf(1), nextCursor: null }));
		const ids = [idOf(2, 1), OTHER_FORM_ID, 'contact', FORM_ID, OTHER_FORM_ID, idOf(1, 1)];
		const found = [idOf(2, 1), 404, null, form.id, 404, idOf(1, 1)];
		expect(await goOn(ids, maxConcurrency)).toEqual(found);
		expect(service.sent.map(({ query }) => query.cursor)).toEqual([
			undefined,
			idOf(2, 9),
			undefined,
		]);
	});

	test.each([1, 50])(
		'read no further than the last of them is: %i at once',
		async (maxConcurrency) => {
			const { service } = servePages();
			const ids = [idOf(2, 1), idOf(1, 1), idOf(2, 1)];
			expect(await goOn(ids, maxConcurrency)).toEqual(ids);
			expect(service.sent).toHaveLength(1);
		},
	);

	test('read a page again that could not be read', async () => {
		const service = fakeService();
		const page = ok({ data: formsOf(2), nextCursor: null });
		service.on('GET', '/forms', reply(403, anError('insufficient_scope', 'No')), page);
		expect(await goOn([idOf(2, 1), idOf(2, 1), idOf(1, 1)], 1)).toEqual([
			403,
			idOf(2, 1),
			idOf(1, 1),
		]);
		expect(service.sent).toHaveLength(2);
	});

	test('end the node with the first of them where a page cannot be read', async () => {
		fakeService().on('GET', '/forms', reply(403, anError('insufficient_scope', 'No')));
		const { error } = await getEach(Array<string>(3).fill(FORM_ID), 50);
		expect(error?.context.itemIndex).toBe(0);
	});
});
