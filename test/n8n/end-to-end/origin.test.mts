import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { getLocal, type MockedEndpoint } from 'mockttp';
import { isOlderThan } from '../../../playground/n8n/version.mts';
import { hasNoSecret } from '../kit/no-secret.mts';
import { useRig } from '../kit/real-n8n.mts';
import { node } from '../kit/workflow-nodes.mts';

type Json = Record<string, unknown>;

const NODE = 'Request';
const TYPES = ['formResponsesApi', 'formResponsesOAuth2Api'] as const;

interface Places {
	/** The origin of the form service. */
	own: string;
	/** Another server on the same host. */
	port: string;
	/** The same server by another name of the host. */
	host: string;
	/** A path of the form service that redirects to the other name. */
	redirect: string;
}

type Way = [how: string, parameters: (places: Places) => Json, typeVersion?: number];

const text = (value: string) => JSON.stringify(value);

/** In n8n the credential sees secrets where the node sees none. */
const unlike = (forCredential: string, forNode: string) =>
	`={{ $secrets ? ${text(forCredential)} : ${text(forNode)} }}`;

const paged = (url: string, nextURL: string) => ({
	url,
	options: {
		pagination: {
			pagination: {
				paginationMode: 'responseContainsNextURL',
				nextURL,
				paginationCompleteWhen: 'other',
				completeExpression: '={{ false }}',
				limitPagesFetched: true,
				maxRequests: 2,
			},
		},
	},
});

const elsewhere: Way[] = [
	['another port', ({ port }) => ({ url: port })],
	['another host', ({ host }) => ({ url: host })],
	['another host, in an early version of the node', ({ host }) => ({ url: host }), 2],
	['an expression', ({ host }) => ({ url: `={{ ${text(host)} }}` })],
	[
		'an expression after the own host',
		({ own, port }) => ({
			url: `=${own.replace(/:\d+$/, '')}{{ ${text(port.replace(/.*:/, ':'))} }}`,
		}),
	],
	['another URL for the node alone', ({ own, host }) => ({ url: unlike(`${own}/`, host) })],
	['another port for the node alone', ({ own, port }) => ({ url: unlike(`${own}/`, port) })],
	['the next page', ({ own, port }) => paged(`${own}/api/v1/me`, port)],
	[
		'the next page by an expression',
		({ own, port }) => paged(`${own}/api/v1/me`, `={{ $response ? ${text(port)} : "" }}`),
	],
	['a redirect', ({ redirect }) => ({ url: redirect })],
	['a proxy', ({ own, host }) => ({ url: `${own}/api/v1/me`, options: { proxy: host } })],
	['an odd proxy', ({ host }) => ({ url: host, options: { proxy: { replace: 1 } } })],
];

const home: Way[] = [
	['a fixed URL', ({ own }) => ({ url: `${own}/api/v1/me` })],
	['an expression after the origin', ({ own }) => ({ url: `=${own}/api/v1/{{ "me" }}` })],
	['an early version of the node', ({ own }) => ({ url: `${own}/api/v1/me` }), 2],
];

// n8n-nodes-base, GraphQL.node.ts of 2.33.7; there in 2.41.1.
const noGraphQL = isOlderThan('2.40') && "n8n's GraphQL node takes its generic credentials only";

describe("the credentials in n8n's own nodes", () => {
	const rig = useRig();
	/** A server that is not the form service. */
	const elsewhereServer = getLocal();
	let caught: MockedEndpoint;
	let places: Places;
	before(async () => {
		await elsewhereServer.start();
		const own = rig.service.url;
		places = {
			own,
			port: `http://127.0.0.1:${elsewhereServer.port}`,
			host: `http://localhost:${elsewhereServer.port}`,
			redirect: `${own}/api/v1/forms`,
		};
		await rig.service.addFault({
			match: { path: '/forms' },
			kind: 'status',
			status: 302,
			times: null,
			headers: { Location: places.host },
		});
	});
	after(async () => await elsewhereServer.stop());
	beforeEach(async () => {
		await rig.service.forgetRequests();
		elsewhereServer.reset();
		caught = await elsewhereServer.forAnyRequest().thenJson(200, {});
	});

	async function nothingSecretWasSent() {
		const requests = await caught.getSeenRequests();
		const sent = requests.map(({ url, rawHeaders }) => ({ url, rawHeaders }));
		await hasNoSecret(sent, rig.service);
	}

	async function run(
		name: 'httpRequest' | 'graphql',
		nodeCredentialType: (typeof TYPES)[number],
		given: Json,
		typeVersion: number,
	) {
		const parameters = { authentication: 'predefinedCredentialType', nodeCredentialType, ...given };
		const { credentials } = rig;
		const { status, data } = await rig.run(
			node(NODE, `n8n-nodes-base.${name}`, parameters, { typeVersion, credentials }),
		);
		return { status, message: data.resultData.error?.message };
	}

	const authenticated = async () =>
		(await rig.service.requests()).filter(({ authenticatedAs }) => authenticatedAs).length;

	for (const type of TYPES) {
		for (const [how, parameters, version = 4.2] of elsewhere) {
			test(`${type} cannot be sent elsewhere by ${how}`, async () => {
				await run('httpRequest', type, parameters(places), version);
				await nothingSecretWasSent();
			});
		}

		for (const [how, parameters, version = 4.2] of home) {
			test(`${type} opens its own origin by ${how}`, async () => {
				const { status, message } = await run('httpRequest', type, parameters(places), version);
				assert.equal(status, 'success', message);
				assert.equal(await authenticated(), 1);
			});
		}

		test(`${type} from GraphQL`, { skip: noGraphQL }, async () => {
			for (const endpoint of [places.port, places.host, `${places.own}/api/v1/me`]) {
				await run('graphql', type, { endpoint, requestMethod: 'GET', query: '{ me }' }, 1.1);
			}
			await nothingSecretWasSent();
			assert.equal(await authenticated(), 1);
		});
	}

	test('an API key says where it may go', async () => {
		const { message } = await run('httpRequest', 'formResponsesApi', { url: places.host }, 4.2);
		assert.match(message ?? '', new RegExp(`^This credential is for ${places.own} only\\.`));
	});
});
