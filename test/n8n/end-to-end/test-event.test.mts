import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { getLocal, type CompletedRequest } from 'mockttp';
import { freePort } from '../../../playground/ports.mts';
import type { Form } from '../../../playground/service/client.mts';
import { needsOwnN8n } from '../kit/attached-n8n.mts';
import { eventually } from '../kit/eventually.mts';
import { useRig } from '../kit/real-n8n.mts';

const PAGE = { body: '<!doctype html>', headers: { 'content-type': 'text/html' } };
type Answer = { statusCode: number; body?: string; headers?: Record<string, string> };

const WITHOUT_HOOK = [{ testWith: 'latest' }, { authentication: 'apiKey' }];

/** n8n takes the address for tests from either (n8n, url.service.ts). */
const addressed = (url: string) => ({ WEBHOOK_URL: url, N8N_EDITOR_BASE_URL: url });

const title = 'a test event where something else answers at the address of n8n';

describe(title, { skip: needsOwnN8n }, () => {
	/** It answers there. */
	const front = getLocal();
	const rig = useRig(async () => {
		const port = await freePort();
		await front.start();
		// While the credentials are connected, it is n8n itself.
		await front.forAnyRequest().thenForwardTo(`http://127.0.0.1:${port}`);
		return { port, env: addressed(`http://127.0.0.1:${front.port}/`) };
	});
	let form: Form;
	before(async () => {
		form = await rig.service.addForm('Contact');
		await rig.service.addResponses(form.id, { respondentEmail: 'ada@example.com' });
	});
	beforeEach(() => front.reset());
	after(async () => await front.stop());

	const addWorkflow = async (parameters: Record<string, unknown>) =>
		(await rig.addTriggerWorkflow(form.id, parameters)).id;

	const page = 'a web page with status';
	const cases: Array<[what: string, answer: (path: string) => Answer, says: string]> = [
		['a login page', () => ({ statusCode: 200, ...PAGE }), `${page} 200`],
		['a login', () => ({ statusCode: 401 }), 'status 401'],
		['a proxy', () => ({ statusCode: 407 }), 'status 407'],
		['another page', () => ({ statusCode: 404, ...PAGE }), `${page} 404`],
		[
			'a redirect to a login page',
			(path) =>
				path === '/login'
					? { statusCode: 200, ...PAGE }
					: { statusCode: 302, headers: { location: '/login' } },
			`${page} 200`,
		],
	];
	for (const [what, answer, says] of cases) {
		test(`${what} is named at once`, async () => {
			await front.forAnyRequest().thenCallback(({ path }) => answer(path));
			for (const parameters of WITHOUT_HOOK) {
				const said = new RegExp(`not n8n but ${says} answers at its test URL.*WEBHOOK_URL`);
				await assert.rejects(rig.testTrigger(await addWorkflow(parameters)), said);
			}
		});
	}

	test('n8n itself, behind a proxy, gets the latest response, and again, redirected', async () => {
		const id = await addWorkflow({ testWith: 'latest' });
		const { url } = rig.instance;
		const redirected = ({ path }: CompletedRequest) => ({
			statusCode: 308,
			headers: { location: `${url}${path}` },
		});
		const ways = [
			async () => await front.forAnyRequest().thenForwardTo(url),
			async () => await front.forAnyRequest().thenCallback(redirected),
		];
		const expected: string[] = [];
		for (const setUp of ways) {
			front.reset();
			await setUp();
			expected.push('ada@example.com');
			await rig.testTrigger(id);
			await eventually(async () => {
				const shown = await rig.outputOf(id);
				assert.deepEqual(
					shown.map(({ respondentEmail }) => respondentEmail),
					expected,
				);
			}, 30_000);
		}
	});

	test('an address without a scheme says so', async () => {
		await rig.restart({ env: addressed('n8n.example.com') });
		await assert.rejects(
			rig.testTrigger(await addWorkflow({ testWith: 'latest' })),
			/address of this n8n is not whole: n8n\.example\.com.*WEBHOOK_URL/,
		);
	});
});
