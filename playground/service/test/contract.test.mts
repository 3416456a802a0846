import assert from 'node:assert/strict';
import { test } from 'node:test';
import { description } from '../description.mts';
import { apiKey, sharedPlayground, unknownId, type Call } from './playground.mts';

const { playground, token } = await sharedPlayground();

type Schema = Record<string, any>;
type Parameter = { name: string; in: 'path' | 'query'; schema: Schema };
type Operation = {
	operationId: string;
	security: Array<{ bearer: string[] }>;
	parameters?: Parameter[];
	responses: Record<string, object>;
};

const operations = Object.entries(description.paths).flatMap(([path, methods]) =>
	Object.entries(methods).map(([method, operation]: [string, Operation]) => ({
		...operation,
		method: method.toUpperCase(),
		path,
		scopes: operation.security[0]!.bearer,
		parameters: operation.parameters ?? [],
	})),
);
const success = ({ responses }: Operation) => Object.keys(responses).find((one) => one < '300')!;
const allScopes = ['forms:read', 'responses:read', 'hooks:write'];

/** Values that a parameter's schema excludes. */
const excluded = ({ schema: { type, minimum, maximum } }: Parameter) =>
	type === 'integer'
		? [minimum - 1, -1, maximum + 1, 1.5, 'abc', '', 'NaN', 'Infinity']
		: ['abc', '..%2Fme', 'a'.repeat(10_000)];

/** Calls an operation. The service turns an undocumented success into a 500. */
async function call(
	{ method, path }: (typeof operations)[number],
	expected: number,
	{ id, query = '', ...rest }: Call & { id?: string; query?: string },
) {
	const address = path.replace(/\{\w+\}/, id || unknownId) + query;
	const body =
		method === 'POST' ? { formId: unknownId, targetUrl: 'https://example.com/' } : undefined;
	const answered = await playground.api(method, address, { body, ...rest });
	assert.equal(answered.status, expected, `${address.slice(0, 80)}: ${answered.body?.message}`);
	if (expected === 204) assert.equal(answered.body, '');
	else assert.match(answered.headers.get('content-type') ?? '', /^application\/json/);
	if (expected >= 400) {
		const { error, code, message, hint, docs } = answered.body;
		for (const text of [error, code, message, hint, docs]) assert.match(text, /./);
		assert.equal(error, message);
	}
	return answered;
}

for (const operation of operations) {
	const { method, path, scopes, parameters, responses } = operation;
	const name = `${method} ${path}`;

	test(`${name}: ${success(operation)}, as documented`, async () => {
		const form = await playground.addForm('Survey');
		const [response] = await playground.addResponses(form.id, { count: 2 });
		const { body: hook } = await playground.subscribe(token, form.id, 'https://example.com/a?b=c');
		const ids: Record<string, string> = {
			formId: form.id,
			responseId: response!.data.responseId.toUpperCase(),
			hookId: hook.id,
		};
		const id = ids[/\{(\w+)\}/.exec(path)?.[1] ?? ''];
		const targetUrl = 'https://example.com/?key=1';
		const body = method === 'POST' ? { formId: form.id, targetUrl } : undefined;
		const answered = await call(operation, Number(success(operation)), { id, token, body });
		if (path === '/forms') assert.deepEqual(answered.body.data, [form]);
	});

	test(`${name}: 401 without a token or with one that nobody knows`, async () => {
		for (const header of [undefined, 'Bearer', 'Basic dXNlcjpwYXNz', apiKey, 'Bearer nobody']) {
			const headers: Record<string, string> = header === undefined ? {} : { Authorization: header };
			const { body } = await call(operation, 401, { headers });
			assert.equal(body.code, 'unauthorized');
			assert.doesNotMatch(JSON.stringify(body), /nobody/);
		}
	});

	test(`${name}: ${scopes.join() || 'any token'}, or 403`, async () => {
		for (const scope of allScopes.filter((one) => scopes.length > 0 && !scopes.includes(one))) {
			const token = await playground.accessToken(scope);
			const { body } = await call(operation, 403, { token, query: '?limit=0' });
			assert.equal(body.code, 'insufficient_scope');
			assert.match(body.message, new RegExp(scopes[0]!));
		}
		const isForKeys = scopes.every((scope) => scope === 'responses:read');
		const answered = await playground.api(method, path.replace(/\{\w+\}/, unknownId), {
			token: apiKey,
		});
		assert.equal(answered.status === 403, !isForKeys);
	});

	for (const parameter of parameters) {
		test(`${name}: 400 for a ${parameter.name} that the schema excludes`, async () => {
			for (const value of excluded(parameter)) {
				const place =
					parameter.in === 'path'
						? { id: String(value) }
						: { query: `?${parameter.name}=${value}` };
				const { body } = await call(operation, 400, { token, ...place });
				assert.equal(body.code, 'invalid_request');
				assert.match(body.message, new RegExp(parameter.name));
			}
		});
	}

	if ('404' in responses) {
		test(`${name}: 404 for what is not there`, async () => {
			const { body } = await call(operation, 404, { token: token });
			assert.equal(body.code, 'not_found');
		});
	}

	test(`${name}: 429 before all else, with Retry-After`, async () => {
		const rateLimit = { perSecond: 0.001, burst: 1 };
		await playground.settings({ rateLimit, retryAfterSeconds: 7 });
		await playground.api('GET', '/me');
		const { body, headers } = await call(operation, 429, {});
		assert.deepEqual([body.code, headers.get('retry-after')], ['rate_limited', '7']);
	});
}

test('a method or a path that it does not have: 405, 404', async () => {
	for (const [method, path, status, code] of [
		['PUT', '/forms', 405, 'method_not_allowed'],
		['GET', '/hooks', 405, 'method_not_allowed'],
		['GET', '/nothing', 404, 'not_found'],
	] as const) {
		const { status: answered, body } = await playground.api(method, path, { token });
		assert.deepEqual([answered, body.code, body.error], [status, code, body.message]);
	}
	for (const path of ['/me', '/api/v2/me']) {
		assert.equal((await playground.call('GET', path, { token })).status, 404);
	}
});

test('it is served, and errors say where', async () => {
	const { body } = await playground.api('GET', '/me');
	assert.deepEqual(await (await fetch(body.docs)).json(), description);
});

for (const body of [
	'{"formId":',
	[],
	{},
	{ formId: unknownId },
	{ targetUrl: 'https://example.com/' },
	{ formId: 'abc', targetUrl: 'https://example.com/' },
	...['', 'abc', '/path', 'ftp://example.com/', 'mailto:a@example.com', 'http://', 7].map(
		(targetUrl) => ({ formId: unknownId, targetUrl }),
	),
]) {
	test(`POST /hooks: 400 for ${JSON.stringify(body)}`, async () => {
		const createHook = operations.find(({ operationId }) => operationId === 'createHook')!;
		await call(createHook, 400, { token: token, body });
		assert.deepEqual(await playground.hooks(), []);
	});
}
