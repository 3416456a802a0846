import type { IDataObject } from 'n8n-workflow';
import { startClock } from '../../../kit/clock';
import { ACCESS_TOKEN, credentialValues, SECRETS } from '../../../kit/credentials';
import type { Runnable } from '../../../kit/execute';
import { anError, anIdentity, aResponse, FORM_ID, idOf, RESPONSE_ID } from '../../../kit/samples';
import { BASE_URL, fakeService, ok, reply, type FakeService } from '../../../kit/formService';
import { act } from './operation.fixture';

const numbered = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, n) => ({ id: idOf(n, 2) }));

const getEach = async (
	items: IDataObject[],
	run: Partial<Runnable> = {},
	options: IDataObject = {},
) => await act('response:get', { responseId: '={{ $json.id }}', options }, { items, ...run });

type Answer = Exclude<Parameters<FakeService['always']>[2], { fault: string } | { status: number }>;

const itself: Answer = ({ path }) => ok(aResponse({ responseId: path.replace('/responses/', '') }));
const gone = reply(404, anError('not_found', 'No such response', 'Check the ID'));
const limited = (seconds: string) =>
	reply(429, anError('rate_limited', 'Slow'), { 'Retry-After': seconds });

/** Serves responses by their number. */
function serve(answer: Answer = itself) {
	const service = fakeService();
	service.always('GET', /^\/responses\//, answer);
	return service;
}

const numberIn = (path: string) => Number(path.slice(-12));
const serveEven = () => serve((sent) => (numberIn(sent.path) % 2 === 0 ? itself(sent) : gone));

const goOn = { onError: 'continueRegularOutput' } as const;
const withErrorOutput = { onError: 'continueErrorOutput' } as const;

describe('many items', () => {
	test('keep their order and their pairing, whatever is answered first', async () => {
		const service = serve();
		const { items } = await getEach(numbered(60));
		expect(items.map(({ json, pairedItem }) => [json.responseId, pairedItem])).toEqual(
			numbered(60).map(({ id }, item) => [id, { item }]),
		);
		expect(service.sent).toHaveLength(60);
	});

	test('an option that fails for one of them fails no other', async () => {
		serve();
		const include = '={{ $itemIndex > 0 ? ["fields"] : $("Nowhere").first().json.parts }}';
		const { items } = await getEach(numbered(3), goOn, { include });
		expect(items.map(({ json }) => 'error' in json)).toEqual([true, false, false]);
	});

	test.each([0, 101, 2.5])('a concurrency of %p is refused by name', async (maxConcurrency) => {
		const service = fakeService();
		const { error } = await getEach(numbered(2), {}, { maxConcurrency });
		expect(error?.message).toBe(
			`The parameter "Max Concurrency" is ${maxConcurrency}. Enter a whole number from 1 to 100.`,
		);
		expect(service.sent).toEqual([]);
	});

	test('no items, no requests', async () => {
		const service = fakeService();
		const { items, error } = await getEach([]);
		expect([items, error, service.sent]).toEqual([[], undefined, []]);
	});
});

const details404 = {
	...{ status: 404, code: 'not_found', hint: 'Check the ID' },
	docs: 'https://forms.example.com/docs',
};
const withoutDetails = { status: null, code: null, hint: null, docs: null };

describe('an item that fails', () => {
	test('stops the run and is named', async () => {
		serveEven();
		const { error, items, status } = await getEach(numbered(3));
		expect([status, items]).toEqual(['error', []]);
		expect(error?.message).toMatch(
			/^Could not read response .*000001: the response does not exist/,
		);
		expect(error?.context.itemIndex).toBe(1);
	});

	test('ends the node before another request is sent', async () => {
		const service = serve(() => gone);
		const { error } = await getEach(numbered(60));
		expect(error?.message).toMatch(/000000: the response does not exist/);
		expect(service.sent).toHaveLength(1);
	});

	test('ends the node, and what waits is not sent', async () => {
		const clock = startClock();
		const service = serve(({ path }) => (numberIn(path) === 1 ? gone : limited('30')));
		const { error } = await getEach(numbered(60));
		expect(error?.message).toMatch(/000001: the response does not exist/);
		expect(clock.elapsed()).toBeLessThan(60_000);
		expect(service.sent.length).toBeLessThanOrEqual(60);
	});

	test('before any request ends the node, and what waits is not sent again', async () => {
		const clock = startClock();
		const service = serve(() => limited('30'));
		const { error } = await getEach([...numbered(3), { id: 'x' }]);
		expect(error?.message).toMatch(/^The parameter "Response ID" is "x"/);
		await clock.pass(120_000);
		expect(service.sent.length).toBeLessThanOrEqual(1);
	});

	test('with "continue" gives an item of its own; the others are unharmed', async () => {
		serveEven();
		const { items, error } = await getEach(numbered(3), goOn);
		expect(error).toBeUndefined();
		const message = `Could not read response ${idOf(1, 2)}: the response does not exist or belongs to another workspace. Check its ID, and the workspace of the credential.`;
		expect(items).toEqual([
			expect.objectContaining({ pairedItem: { item: 0 } }),
			{ json: { error: { message, ...details404 } }, pairedItem: { item: 1 } },
			expect.objectContaining({ pairedItem: { item: 2 } }),
		]);
		expect([items[0], items[2]].map(({ json }) => json.responseId)).toEqual([
			idOf(0, 2),
			idOf(2, 2),
		]);
	});

	test('with an error output goes there, with its details', async () => {
		serveEven();
		const { items, errorItems } = await getEach(numbered(4), withErrorOutput);
		expect(items.map(({ json }) => json.responseId)).toEqual([idOf(0, 2), idOf(2, 2)]);
		expect(errorItems.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 1 }, { item: 3 }]);
		expect(errorItems[0].json).toMatchObject({ error: details404 });
	});

	test('for a wrong parameter has details without a status', async () => {
		serveEven();
		const { items } = await getEach([{ id: 'x' }, { id: idOf(2, 2) }], goOn);
		const message =
			'The parameter "Response ID" is "x". Enter a UUID such as 3f1c9a52-7d0e-4b8a-9c26-5e41d7f0a8b3.';
		expect(items[0].json).toEqual({ error: { message, ...withoutDetails } });
		expect(items[1].json.responseId).toBe(idOf(2, 2));
	});

	test('never shows a token, also where the service does', async () => {
		serve(({ authorization }) =>
			reply(400, anError(`${authorization}`, `Refused ${ACCESS_TOKEN}`, `${authorization}`)),
		);
		const { items } = await getEach(numbered(2), goOn);
		const { error } = await getEach(numbered(1));
		const shown = JSON.stringify([items, error, error?.message, error?.stack]);
		expect(items).toHaveLength(2);
		expect(shown).toContain('Refused ***');
		for (const secret of SECRETS) expect(shown).not.toContain(secret);
	});
});

const OTHER_URL = 'https://other.example.com/api/v1';

describe('a credential with expressions of the item', () => {
	const ownKey = { baseUrl: '={{ $json.url }}', apiKey: '={{ $json.key }}' };
	const byKey = { authentication: 'apiKey', credentials: credentialValues(ownKey) };
	const items = [
		{ url: BASE_URL, key: 'first_key' },
		{ url: OTHER_URL, key: 'second_key' },
		{ url: BASE_URL, key: 'third_key' },
	];

	test.each([
		['account:get', '/me', anIdentity()],
		['response:get', `/responses/${RESPONSE_ID}`, aResponse()],
		['response:getAll', `/forms/${FORM_ID}/responses`, { data: [aResponse()] }],
		['response:getNew', `/forms/${FORM_ID}/responses`, { data: [aResponse()] }],
	])('asks the service of each item with its own key: %s', async (name, path, answer) => {
		const services = [fakeService(), fakeService(OTHER_URL)];
		for (const service of services) service.always('GET', path, ok(answer));
		const { authentication, credentials } = byKey;
		const ran = await act(name, { authentication }, { items, credentials });
		expect(ran.items).toHaveLength(3);
		expect(services.map(({ sent }) => sent.map(({ authorization }) => authorization))).toEqual([
			['Bearer first_key', 'Bearer third_key'],
			['Bearer second_key'],
		]);
	});

	test('fails for the items that it is wrong for, and for no other', async () => {
		const service = fakeService();
		service.always('GET', '/me', ({ authorization }) =>
			authorization === 'Bearer good'
				? ok(anIdentity())
				: reply(401, anError('unauthorized', 'No')),
		);
		const { authentication, credentials } = byKey;
		const keys = ['good', 'bad', '', 'good'].map((key) => ({ url: BASE_URL, key }));
		const run = { items: [...keys, { key: 'good' }], credentials, ...goOn };
		const ran = await act('account:get', { authentication }, run);
		expect(ran.items.map(({ json }) => (json.error as IDataObject)?.message)).toEqual([
			undefined,
			expect.stringContaining('does not accept the API key'),
			expect.stringMatching(/^The API Key of the credential is empty\./),
			undefined,
			expect.stringMatching(/^The Base URL of the credential must be/),
		]);
		expect(JSON.stringify(ran.items)).not.toContain('bad');
	});

	test('with OAuth2 takes the token to no service of an item', async () => {
		const [service, other] = [fakeService(), fakeService(OTHER_URL)];
		const credentials = credentialValues({}, { baseUrl: '={{ $json.url }}' });
		const ran = await act('account:get', {}, { items, credentials, ...goOn });
		for (const { json } of ran.items) {
			const message = expect.stringMatching(/An expression of an item works .* with an API key\.$/);
			expect(json.error).toMatchObject({ message });
		}
		expect([ran.items.length, service.sent, other.sent]).toEqual([3, [], []]);
	});
});

const wrongUrl = { credentials: credentialValues({}, { baseUrl: 'forms.example.com' }) };

describe.each<[string, Partial<Runnable>, IDataObject, RegExp]>([
	['an option', {}, { maxConcurrency: 0 }, /^The parameter "Max Concurrency" is 0\. Enter a/],
	['a base URL', wrongUrl, {}, /^The Base URL of the credential must be an http or https address/],
])('%s that is wrong for all items', (_, run, options, message) => {
	test('gives an error item for each input, with an error output', async () => {
		const service = fakeService();
		const ran = await getEach(numbered(3), { ...run, ...withErrorOutput }, options);
		expect([ran.items, ran.error, service.sent]).toEqual([[], undefined, []]);
		expect(ran.errorItems).toEqual(
			[0, 1, 2].map((item) => ({
				json: { error: { message: expect.stringMatching(message), ...withoutDetails } },
				pairedItem: { item },
			})),
		);
	});

	test('stops the run otherwise', async () => {
		const { items, error, status } = await getEach(numbered(3), run, options);
		expect([items, status]).toEqual([[], 'error']);
		expect(error?.message).toMatch(message);
	});
});

test.each<[string, Answer, Partial<Runnable>]>([
	['that waits', () => limited('250'), {}],
	['that goes on after an error', itself, goOn],
])('a run %s stops at once when it is canceled', async (_, answer, run) => {
	const clock = startClock();
	let cancel = () => {};
	const service = serve((sent) => {
		cancel();
		return answer(sent);
	});
	const onStart = (stop: () => void) => (cancel = stop);
	const { status } = await getEach(numbered(200), { ...run, onStart });
	expect(status).toBe('canceled');
	expect(service.sent.length).toBeLessThanOrEqual(1);
	expect(clock.elapsed()).toBeLessThan(250_000);
});

test('an operation that does not exist says so', async () => {
	const { error } = await act('account:fly');
	expect(error?.message).toBe(
		'The resource "account" has no operation "fly". Choose another operation.',
	);
});
