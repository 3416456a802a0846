import type { INodeParameters, INodeProperties, INodeType } from 'n8n-workflow';
import { FormResponses } from '../../../nodes/FormResponses/FormResponses.node';
import { ownOriginOnly, toOwnOrigin } from '../../../credentials/ownOrigin';
import { install } from '../kit/workflow';
import { BASE_URL, ORIGIN } from '../kit/formService';

describe('a request with an API key', () => {
	test.each<[string, object]>([
		['n8n’s own nodes', { uri: `${ORIGIN}/api/v1/me` }],
		['these nodes', { url: `${BASE_URL}/me` }],
		['the test of the credential', { baseURL: BASE_URL, url: '/me' }],
		['the port that the scheme has', { uri: `${ORIGIN}:443/` }],
		['a host in upper case', { uri: ORIGIN.toUpperCase() }],
		['an expression that left blanks', { uri: ` ${ORIGIN}/\n` }],
	])('goes to the own origin: %s', (_, request) => {
		expect(toOwnOrigin(BASE_URL, request as { url: string })).toMatchObject(request);
	});

	test.each<[string, object]>([
		['another host', { uri: 'https://elsewhere.example.org/' }],
		['another port', { uri: `${ORIGIN}:8443/` }],
		['another scheme', { uri: 'http://forms.example.com/' }],
		['a longer host', { uri: `${ORIGIN}.evil.example/` }],
		['a user', { uri: `${ORIGIN}@evil.example/` }],
		['a line break in the host', { uri: `${ORIGIN}\n.evil.example/` }],
		['a trailing dot', { uri: `${ORIGIN}./` }],
		['an address below another base', { baseURL: 'https://evil.example', url: '/me' }],
		['an address that leaves its base', { baseURL: BASE_URL, url: '//evil.example/me' }],
		['no address', { uri: '' }],
	])('goes nowhere else: %s', (_, request) => {
		expect(() => toOwnOrigin(BASE_URL, request as { url: string })).toThrow(
			`This credential is for ${ORIGIN} only. Enter a URL of that service`,
		);
	});

	test('takes the key neither along a redirect nor through a proxy of the node', () => {
		const request = { url: ORIGIN, proxy: { host: 'evil.example', port: 8080 } };
		expect(toOwnOrigin(BASE_URL, request)).toEqual({
			url: ORIGIN,
			allowedDomains: 'forms.example.com',
			sendCredentialsOnCrossOriginRedirect: false,
			proxy: undefined,
		});
	});
});

/** What n8n makes of the fields for a node, as it reads the credential. */
async function fieldsFor(parameters: INodeParameters, baseUrl: unknown) {
	const { description } = new FormResponses();
	const properties = Object.keys(parameters).map(
		(name): INodeProperties => ({ displayName: name, name, type: 'json', default: '' }),
	);
	const type: INodeType = { description: { ...description, properties } };
	const { workflow, node } = install({ type, parameters });
	const fields = ownOriginOnly.map(({ name, default: value }) => [name, value]);
	const data = { baseUrl, ...Object.fromEntries(fields) } as INodeParameters;
	await workflow.expression.acquireIsolate();
	try {
		return workflow.expression.getParameterValue(
			data,
			null,
			0,
			0,
			node.name,
			[{ json: {} }],
			'manual',
			{},
			undefined,
			false,
			data,
		) as { allowedHttpRequestDomains: string; allowedDomains?: string };
	} finally {
		await workflow.expression.releaseIsolate();
	}
}

const nextPage = (nextURL: string) => ({ pagination: { pagination: { nextURL } } });

describe('an OAuth2 credential in n8n’s own nodes', () => {
	test.each<[string, INodeParameters, unknown?]>([
		['a fixed URL', { url: `${ORIGIN}/api/v1/me` }],
		['blanks around it', { url: ` \n${ORIGIN}/api/v1/me ` }],
		['an expression after the origin', { url: `=${ORIGIN}/{{ $json.path }}` }],
		['upper case', { url: 'HTTPS://Forms.Example.COM/api/v1/me' }],
		['GraphQL', { endpoint: `${ORIGIN}/graphql` }],
		['a next page', { url: `${ORIGIN}/`, options: nextPage(`=${ORIGIN}/{{ $response.x }}`) }],
		['a next page that is not set', { url: `${ORIGIN}/`, options: nextPage('') }],
		['a base URL with blanks', { url: `${ORIGIN}/` }, ` ${BASE_URL}// `],
		['a base URL in upper case', { url: `${ORIGIN}/` }, BASE_URL.toUpperCase()],
		['a base URL from an expression', { url: `${ORIGIN}/` }, `={{ "${BASE_URL}" }}`],
	])('opens its own origin: %s', async (_, parameters, baseUrl = BASE_URL) => {
		const { allowedHttpRequestDomains, allowedDomains } = await fieldsFor(parameters, baseUrl);
		expect(allowedHttpRequestDomains).toBe('domains');
		expect(allowedDomains?.toLowerCase()).toBe('forms.example.com');
	});

	test.each([
		['http://[::1]:5800', '[::1]'],
		['http://127.0.0.1:5800', '127.0.0.1'],
	])('%s is on the host %s', async (origin, host) => {
		expect(await fieldsFor({ url: `${origin}/` }, `${origin}/api/v1`)).toMatchObject({
			allowedHttpRequestDomains: 'domains',
			allowedDomains: host,
		});
	});

	test.each<[string, INodeParameters, unknown?]>([
		['another host', { url: 'https://elsewhere.example.org/' }],
		['another port', { url: `${ORIGIN}:8443/` }],
		['another scheme', { url: 'http://forms.example.com/' }],
		['a longer host', { url: `${ORIGIN}.evil.example/` }],
		['a user', { url: `${ORIGIN}@evil.example/` }],
		['a backslash', { url: `${ORIGIN}\\@evil.example/` }],
		['a line break in the host', { url: `${ORIGIN}\n.evil.example/` }],
		['an expression', { url: `={{ "${ORIGIN}/" }}` }],
		['an expression for the rest of the host', { url: `=${ORIGIN}{{ ".evil.example/" }}` }],
		['a text that looks like an expression', { url: `==${ORIGIN}/` }],
		['the own origin further on', { url: `=http://evil.example/${ORIGIN}/` }],
		['a list', { url: [`${ORIGIN}/`] }],
		['an object', { url: { replace: 1 } }],
		['a next page', { url: `${ORIGIN}/`, options: nextPage('https://evil.example/') }],
		['a proxy', { url: `${ORIGIN}/`, options: { proxy: 'http://evil.example/' } }],
		['a proxy that is an object', { url: `${ORIGIN}/`, options: { proxy: { toString: 1 } } }],
		['one of two', { url: `${ORIGIN}/`, endpoint: 'https://evil.example/' }],
		['no base URL', { url: 'null/' }, null],
		['a base URL that is a number', { url: `${ORIGIN}/` }, 5],
		['a base URL without a host', { url: 'https:///' }, 'https:///api/v1'],
		['a base URL with a user', { url: 'https://a@b/' }, 'https://a@b/api/v1'],
	])('goes nowhere else: %s', async (_, parameters, ...[baseUrl = BASE_URL]) => {
		const { allowedHttpRequestDomains } = await fieldsFor(parameters, baseUrl);
		expect(allowedHttpRequestDomains).toBe('none');
	});

	test('is left to a node that has no URL', async () => {
		const { allowedHttpRequestDomains } = await fieldsFor({ formId: 'x' }, 'wrong');
		expect(allowedHttpRequestDomains).toBe('all');
	});
});
