import type { IDataObject } from 'n8n-workflow';
import { FormResponses } from '../../../../nodes/FormResponses/FormResponses.node';
import { startClock } from '../../../clock';
import { ACCESS_TOKEN, credentialValues, SECRETS } from '../../../in-process/credentials';
import type { Runnable } from '../../../in-process/execute';
import { execute } from '../../../in-process/execute';
import { anError, aResponse, idOf } from '../../../samples';
import { fakeService, ok, refused } from '../../../service';

const type = new FormResponses();

const numbered = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, n) => ({ id: idOf(n, 2) }));

const getEach = async (
	items: IDataObject[],
	options: Partial<Runnable> = {},
	more: IDataObject = {},
) =>
	await execute({
		type,
		items,
		parameters: {
			resource: 'response',
			operation: 'get',
			responseId: '={{ $json.id }}',
			...more,
		} as never,
		...options,
	});

const idIn = (path: string) => path.replace('/responses/', '');
const numberIn = (path: string) => Number(path.slice(-12));

describe('many items', () => {
	test('keep their order and their pairing, whatever is answered first', async () => {
		const service = fakeService();
		service.always('GET', /^\/responses\//, ({ path }) =>
			ok(aResponse({ responseId: idIn(path) })),
		);
		const { items } = await getEach(numbered(60));
		expect(items.map(({ json, pairedItem }) => [json.responseId, pairedItem])).toEqual(
			numbered(60).map(({ id }, item) => [id, { item }]),
		);
		expect(service.sent).toHaveLength(60);
	});

	test('an option that fails for one of them fails no other', async () => {
		const service = fakeService();
		service.always('GET', /^\/responses\//, ({ path }) =>
			ok(aResponse({ responseId: idIn(path) })),
		);
		const include = '={{ $itemIndex > 0 ? ["fields"] : $("Nowhere").first().json.parts }}';
		const run = { onError: 'continueRegularOutput' } as const;
		const { items } = await getEach(numbered(3), run, { options: { include } });
		expect(items.map(({ json }) => 'error' in json)).toEqual([true, false, false]);
	});

	test('a rate limit is waited out, and every item comes once', async () => {
		const clock = startClock();
		const service = fakeService();
		let [tokens, filledAt] = [20, clock.now()];
		service.always('GET', /^\/responses\//, ({ path }) => {
			tokens = Math.min(20, tokens + (clock.now() - filledAt) / 10);
			filledAt = clock.now();
			if (tokens < 1) return refused(429, anError('rate_limited', 'Slow'), { 'Retry-After': '1' });
			tokens--;
			return ok(aResponse({ responseId: idIn(path) }));
		});
		const { items, error } = await getEach(numbered(100));
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.responseId)).toEqual(numbered(100).map(({ id }) => id));
	});

	test.each<[unknown, string]>([
		[0, 'is 0'],
		[101, 'is 101'],
		[2.5, 'is 2.5'],
	])('a concurrency of %p is refused by name', async (maxConcurrency, got) => {
		const service = fakeService();
		const { error } = await getEach(
			numbered(2),
			{},
			{ options: { maxConcurrency } as IDataObject },
		);
		expect(error?.message).toBe(
			`The parameter "Max Concurrency" ${got}. Enter a whole number from 1 to 100.`,
		);
		expect(service.sent).toEqual([]);
	});

	test('no items, no requests', async () => {
		const service = fakeService();
		const { items, error } = await getEach([]);
		expect([items, error, service.sent]).toEqual([[], undefined, []]);
	});
});

/** Serves a response for even numbers, and 404 for odd ones. */
function serveEven() {
	const service = fakeService();
	service.always('GET', /^\/responses\//, ({ path }) =>
		numberIn(path) % 2 === 0
			? ok(aResponse({ responseId: idIn(path) }))
			: refused(404, anError('not_found', 'No such response', 'Check the ID')),
	);
	return service;
}

const details404 = {
	status: 404,
	code: 'not_found',
	hint: 'Check the ID',
	docs: 'https://forms.example.com/docs',
};

const withoutDetails = { status: null, code: null, hint: null, docs: null };

describe('an item that fails', () => {
	test('stops the run and is named', async () => {
		serveEven();
		const { error, items, status } = await getEach(numbered(3));
		expect(status).toBe('error');
		expect(items).toEqual([]);
		expect(error?.message).toMatch(/^Could not read response .*000001: the response was deleted/);
		expect(error?.context.itemIndex).toBe(1);
	});

	test('ends the node before another request is sent', async () => {
		const service = fakeService();
		service.always('GET', /./, refused(404, anError('not_found', 'No such response')));
		const { error } = await getEach(numbered(60));
		expect(error?.message).toMatch(/000000: the response was deleted/);
		expect(service.sent).toHaveLength(1);
	});

	test('ends the node, and what waits is not sent', async () => {
		const clock = startClock();
		const service = fakeService();
		service.always('GET', /^\/responses\//, ({ path }) =>
			numberIn(path) === 1
				? refused(404, anError('not_found', 'No such response'))
				: refused(429, anError('rate_limited', 'Slow'), { 'Retry-After': '30' }),
		);
		const { error } = await getEach(numbered(60));
		expect(error?.message).toMatch(/000001: the response was deleted/);
		expect(clock.elapsed()).toBeLessThan(60_000);
		expect(service.sent.length).toBeLessThanOrEqual(60);
	});

	test('with "continue" gives an item of its own; the others are unharmed', async () => {
		serveEven();
		const { items, error } = await getEach(numbered(4), { onError: 'continueRegularOutput' });
		expect(error).toBeUndefined();
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3].map((item) => ({ item })),
		);
		expect(items[0].json.responseId).toBe(idOf(0, 2));
		expect(items[1].json).toEqual({
			error: {
				message: `Could not read response ${idOf(1, 2)}: the response was deleted or belongs to another workspace. Check its ID, and the workspace of the credential.`,
				...details404,
			},
		});
		expect(items[2].json.responseId).toBe(idOf(2, 2));
	});

	test('with an error output goes there, with its details', async () => {
		serveEven();
		const { items, errorItems } = await getEach(numbered(4), { onError: 'continueErrorOutput' });
		expect(items.map(({ json }) => json.responseId)).toEqual([idOf(0, 2), idOf(2, 2)]);
		expect(errorItems.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }, { item: 3 }]);
		expect(errorItems[0].json).toMatchObject({ error: details404 });
	});

	test('for a wrong parameter has details without a status', async () => {
		serveEven();
		const { items } = await getEach([{ id: 'x' }, { id: idOf(2, 2) }], {
			onError: 'continueRegularOutput',
		});
		expect(items[0].json).toEqual({
			error: {
				message:
					'The parameter "Response ID" is "x". Enter a UUID such as 3f1c9a52-7d0e-4b8a-9c26-5e41d7f0a8b3.',
				...withoutDetails,
			},
		});
		expect(items[1].json.responseId).toBe(idOf(2, 2));
	});

	test('never shows a token, also where the service does', async () => {
		const service = fakeService();
		service.always('GET', /^\/responses\//, ({ authorization }) =>
			refused(400, anError(`${authorization}`, `Refused ${ACCESS_TOKEN}`, `${authorization}`)),
		);
		const { items } = await getEach(numbered(2), { onError: 'continueRegularOutput' });
		const { error } = await getEach(numbered(1));
		const shown = JSON.stringify([items, error, error?.message, error?.stack]);
		expect(items).toHaveLength(2);
		expect(shown).toContain('Refused ***');
		for (const secret of SECRETS) expect(shown).not.toContain(secret);
	});
});

describe('a fault that concerns all items', () => {
	const faults: Array<[string, Partial<Runnable>, IDataObject, RegExp]> = [
		[
			'an option',
			{},
			{ options: { maxConcurrency: 0 } },
			/^The parameter "Max Concurrency" is 0\. Enter a whole number from 1 to 100\.$/,
		],
		[
			'a base URL',
			{ credentials: credentialValues({}, { baseUrl: 'forms.example.com' }) },
			{},
			/^The Base URL of the credential must be an http or https address/,
		],
	];

	test.each(faults)(
		'%s: with an error output each input gives an error item there',
		async (_, options, parameters, message) => {
			const service = fakeService();
			const { items, errorItems, error } = await getEach(
				numbered(3),
				{ ...options, onError: 'continueErrorOutput' },
				parameters,
			);
			expect([items, error, service.sent]).toEqual([[], undefined, []]);
			expect(errorItems).toEqual(
				[0, 1, 2].map((item) => ({
					json: { error: { message: expect.stringMatching(message), ...withoutDetails } },
					pairedItem: { item },
				})),
			);
		},
	);

	test.each(faults)('%s: otherwise the run stops', async (_, options, parameters, message) => {
		const { items, error, status } = await getEach(numbered(3), options, parameters);
		expect([items, status]).toEqual([[], 'error']);
		expect(error?.message).toMatch(message);
	});
});

describe('a canceled run', () => {
	test('stops waiting and queued work at once', async () => {
		const clock = startClock();
		const service = fakeService();
		let cancel = () => {};
		service.always('GET', /^\/responses\//, () => {
			cancel();
			return refused(429, anError('rate_limited', 'Slow'), { 'Retry-After': '250' });
		});
		const { status } = await getEach(numbered(200), { onStart: (stop) => (cancel = stop) });
		expect(status).toBe('canceled');
		expect(service.sent.length).toBeLessThanOrEqual(1);
		expect(clock.elapsed()).toBeLessThan(250_000);
	});

	test('also with "continue on error"', async () => {
		const service = fakeService();
		let cancel = () => {};
		service.always('GET', /^\/responses\//, ({ path }) => {
			cancel();
			return ok(aResponse({ responseId: idIn(path) }));
		});
		const { status } = await getEach(numbered(200), {
			onError: 'continueRegularOutput',
			onStart: (stop) => (cancel = stop),
		});
		expect(status).toBe('canceled');
		expect(service.sent.length).toBeLessThanOrEqual(1);
	});
});

test('an operation that does not exist says so', async () => {
	const { error } = await execute({
		type,
		parameters: { resource: 'account', operation: 'fly' } as never,
	});
	expect(error?.message).toBe(
		'The resource "account" has no operation "fly". Choose another operation.',
	);
});
