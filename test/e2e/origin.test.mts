import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { inARow, node } from '../live/drafts.mts';
import { hasNoSecret } from '../live/no-secret.mts';
import { openStage } from '../live/stage.mts';
import type { Stage } from '../live/stage.mts';
import { openCatcher } from './catcher.mts';
import type { Catcher } from './catcher.mts';

type Json = Record<string, unknown>;
type Type = 'formResponsesApi' | 'formResponsesOAuth2Api';

interface Places {
	/** The origin of the form service. */
	own: string;
	/** The same host at the port of another server. */
	otherPort: string;
	/** Another name for the host of that server. */
	otherHost: string;
}

type Way = [how: string, version: number, parameters: (places: Places) => Json];

const NODE = 'Request';

const withPages = (url: string, nextURL: string) => ({
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

/** Something else to the credential, in which n8n shows its secrets to expressions, than to the node. */
const changing = (own: string, other: string) =>
	`={{ $secrets ? ${JSON.stringify(own)} : ${JSON.stringify(other)} }}`;

const elsewhere: Way[] = [
	['another port', 4.2, ({ otherPort }) => ({ url: otherPort })],
	['another host', 4.2, ({ otherHost }) => ({ url: otherHost })],
	['another host, in the second version of the node', 2, ({ otherHost }) => ({ url: otherHost })],
	['blanks before another host', 4.2, ({ otherHost }) => ({ url: `\n ${otherHost}` })],
	['an expression', 4.2, ({ otherHost }) => ({ url: `={{ ${JSON.stringify(otherHost)} }}` })],
	[
		'the own origin as the name of a user',
		4.2,
		({ own, otherHost }) => ({ url: otherHost.replace('//', `//${own.slice(7)}@`) }),
	],
	[
		'an expression that makes the own origin the name of a user',
		4.2,
		({ own, otherHost }) => ({ url: `=${own}{{ ${JSON.stringify(`@${otherHost.slice(7)}`)} }}` }),
	],
	['a URL that changes', 4.2, ({ own, otherHost }) => ({ url: changing(own, otherHost) })],
	['a port that changes', 4.2, ({ own, otherPort }) => ({ url: changing(own, otherPort) })],
	[
		'a URL that counts',
		4.2,
		({ own, otherHost }) => ({
			url: `={{ [JSON.stringify($execution.customData.getAll()), $execution.customData.set("a", "b")][0] }}`,
		}),
	],
	['a next page', 4.2, ({ own, otherPort }) => withPages(`${own}/api/v1/me`, otherPort)],
	['a redirect', 4.2, ({ own }) => ({ url: `${own}/api/v1/me?redirect` })],
	[
		'a proxy',
		4.2,
		({ own, otherHost }) => ({ url: `${own}/api/v1/me`, options: { proxy: otherHost } }),
	],
];

const home: Way[] = [
	['a fixed URL', 4.2, ({ own }) => ({ url: `${own}/api/v1/me` })],
	['an expression after the origin', 4.2, ({ own }) => ({ url: `=${own}/api/v1/{{ "me" }}` })],
	['the second version of the node', 2, ({ own }) => ({ url: `${own}/api/v1/me` })],
];

describe('the credentials in other nodes of a real n8n', () => {
	let stage: Stage;
	let catcher: Catcher;
	let places: Places;
	before(async () => {
		stage = await openStage();
		catcher = await openCatcher();
		places = {
			own: stage.service.url,
			otherPort: `http://127.0.0.1:${catcher.port}`,
			otherHost: `http://localhost:${catcher.port}`,
		};
	});
	after(async () => {
		await stage?.close();
		await catcher?.close();
	});
	beforeEach(async () => {
		await stage.service.clearFaults();
		await stage.service.forgetRequests();
		catcher.caught.length = 0;
	});

	async function run(
		type: string,
		nodeCredentialType: Type,
		typeVersion: number,
		parameters: Json,
	) {
		const authentication = 'predefinedCredentialType';
		const { credentials } = stage;
		const nodes = [
			node('Start', 'n8n-nodes-base.manualTrigger'),
			node(
				NODE,
				`n8n-nodes-base.${type}`,
				{ authentication, nodeCredentialType, ...parameters },
				{ typeVersion, credentials },
			),
		];
		const workflow = await stage.n8n.createWorkflow({
			name: `Origin ${crypto.randomUUID()}`,
			nodes,
			connections: inARow(nodes),
		});
		await stage.n8n.runManually(workflow.id, { destinationNode: NODE });
		return await stage.n8n.waitForExecution(workflow.id, { timeoutMs: 30_000 });
	}

	const authenticated = async () =>
		(await stage.service.requests()).filter(({ authenticatedAs }) => authenticatedAs);

	for (const type of ['formResponsesApi', 'formResponsesOAuth2Api'] as const) {
		for (const [how, version, parameters] of elsewhere) {
			test(`${type} goes nowhere else by ${how}`, async () => {
				await stage.service.addFault({
					match: { path: '/me' },
					kind: 'redirect',
					location: places.otherHost,
				});
				if (how !== 'a redirect') await stage.service.clearFaults();
				const execution = await run('httpRequest', type, version, parameters(places));
				if (process.env.SHOW) {
					console.log(
						type,
						'|',
						how,
						'|',
						execution.status,
						'|',
						execution.data.resultData.error?.message,
						'|',
						catcher.caught.join(' '),
					);
				}
				await hasNoSecret(catcher.caught, stage.service);
			});
		}

		for (const [how, version, parameters] of home) {
			test(`${type} opens its own origin by ${how}`, async () => {
				const execution = await run('httpRequest', type, version, parameters(places));
				assert.equal(execution.status, 'success', execution.data.resultData.error?.message);
				assert.equal((await authenticated()).length, 1);
			});
		}

		test(`${type} goes nowhere else from GraphQL`, async () => {
			for (const endpoint of [places.otherPort, places.otherHost]) {
				await run('graphql', type, 1, { endpoint, query: '{ me }' });
			}
			await hasNoSecret(catcher.caught, stage.service);
		});

		test(`${type} opens its own origin from GraphQL`, async () => {
			const endpoint = `${places.own}/api/v1/me`;
			await run('graphql', type, 1, { endpoint, requestMethod: 'GET', query: '{ me }' });
			assert.equal((await authenticated()).length, 1);
		});
	}
});
