import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { freePort } from '../../../playground/ports.mts';
import { needsOwnN8n } from '../kit/attached-n8n.mts';
import { forward } from '../kit/reverse-proxy.mts';
import { TRIGGER } from '../kit/workflow-nodes.mts';
import { eventually } from '../kit/eventually.mts';
import { listen } from '../kit/listen.mts';
import { openRig, type Rig } from '../kit/test-rig.mts';
import type { Form } from '../../../playground/service/client.mts';

type Handle = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

const answers =
	(status: number, body = '', headers = {}): Handle =>
	(_, outgoing) =>
		void outgoing.writeHead(status, headers).end(body);

const page = { 'content-type': 'text/html' };

/** n8n takes the address for tests from either (n8n, url.service.ts). */
const addressed = (url: string) => ({ WEBHOOK_URL: url, N8N_EDITOR_BASE_URL: url });

describe(
	'a test event where something else answers at the address of n8n',
	{ skip: needsOwnN8n },
	() => {
		let rig: Rig;
		let form: Form;
		let port: number;
		let front: Awaited<ReturnType<typeof listen>>;

		const pass: Handle = (incoming, outgoing) => forward(incoming, outgoing, port);
		let handle = pass;

		before(async () => {
			port = await freePort();
			front = await listen((incoming, outgoing) => handle(incoming, outgoing));
			rig = await openRig({ port, env: addressed(`http://127.0.0.1:${front.port}/`) });
			form = await rig.service.addForm('Contact');
			await rig.service.addResponses(form.id, { respondentEmail: 'ada@example.com' });
		});
		after(async () => {
			await rig?.close();
			await front?.close();
		});

		const workflow = async (parameters: object) =>
			await rig.addTriggerWorkflow(form.id, { ...parameters });
		const runTest = async ({ id }: Awaited<ReturnType<typeof workflow>>) =>
			await rig.n8n.runManually(id, { triggerToStartFrom: TRIGGER });

		const login: Handle = (incoming, outgoing) =>
			incoming.url === '/login'
				? answers(200, '<!doctype html>', page)(incoming, outgoing)
				: answers(302, '', { location: '/login' })(incoming, outgoing);
		const cases: Array<[what: string, Handle, says: string]> = [
			['a login page', answers(200, '<!doctype html>', page), 'a web page with status 200'],
			['a login', answers(401), 'status 401'],
			['a proxy', answers(407), 'status 407'],
			['another page', answers(404, '<html>', page), 'a web page with status 404'],
			['a redirect to a login page', login, 'a web page with status 200'],
		];
		for (const [what, answer, says] of cases) {
			test(`${what} is named at once`, async () => {
				handle = answer;
				for (const parameters of [{ testWith: 'latest' }, { authentication: 'apiKey' }]) {
					const said = new RegExp(`not n8n but ${says} answers at its test URL.*WEBHOOK_URL`);
					await assert.rejects(runTest(await workflow(parameters)), said);
				}
			});
		}

		const redirect: Handle = (incoming, outgoing) =>
			answers(308, '', { location: `http://127.0.0.1:${port}${incoming.url}` })(incoming, outgoing);

		test('n8n itself, behind a proxy, gets the latest response, and again, redirected', async () => {
			const listening = await workflow({ testWith: 'latest' });
			const shown = async () =>
				(await rig.outputOf(listening.id)).map(({ respondentEmail }) => respondentEmail);
			for (const [n, way] of [pass, redirect].entries()) {
				handle = way;
				const expected = Array<string>(n + 1).fill('ada@example.com');
				await runTest(listening);
				await eventually(async () => assert.deepEqual(await shown(), expected), 30_000);
			}
		});

		test('an address without a scheme says so', async () => {
			await rig.restart({ env: addressed('n8n.example.com') });
			await assert.rejects(
				runTest(await workflow({ testWith: 'latest' })),
				/address of this n8n is not whole: n8n\.example\.com.*WEBHOOK_URL/,
			);
		});
	},
);
