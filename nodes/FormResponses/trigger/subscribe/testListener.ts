import type { IHookFunctions } from 'n8n-workflow';
import { NodeOperationError, sleep } from 'n8n-workflow';
import { read, readAuthentication, readFormId } from '../../parameters';
import { createHook, listResponses } from '../../transport/endpoints';
import type { Api, ResponseEnvelope } from '../../transport/types';
import { newKey, stored, withKey } from '../state/key';
import { ownerOf } from '../state/memory';
import { assertReachable, open } from './hooks';
import { webhookUrlOf } from './place';
import { transitions } from '../state/state';
import { store } from '../state/stored';
import { timing } from '../timing';

/** n8n registers the test listener about this long after `create` returns. */
const REGISTRATION_MS = 300;
const TRIES = 10;
/** Messages of n8n's HTTP client for a blocked address (n8n, backend-network, ssrf). */
const BY_SSRF_PROTECTION = /ssrf|restricted IP|blocked/i;

async function latestOf(context: IHookFunctions, api: Api, formId: string) {
	const [latest] = await listResponses(api, formId, 1);
	if (latest !== undefined) return latest;
	throw new NodeOperationError(
		context.getNode(),
		'This form has no completed response yet, so there is none to show. Fill in the form once and try again, or with OAuth2 set "Test With" to "New Response".',
	);
}

/**
 * Checks that n8n reaches its own test URL. Any answer will do, because the listener is not registered yet.
 *
 * @throws NodeOperationError naming WEBHOOK_URL
 */
async function assertOwnUrlAnswers(context: IHookFunctions, url: string): Promise<void> {
	const probe = { method: 'HEAD', url, timeout: 5_000, ignoreHttpStatusErrors: true } as const;
	try {
		await context.helpers.httpRequest(probe);
	} catch (error) {
		const { message, name } = error as Error;
		const fix = BY_SSRF_PROTECTION.test(`${message} ${name}`)
			? "n8n's protection against server-side request forgery blocks it. Allow this address in n8n's setting N8N_SSRF_ALLOWED_HOSTNAMES"
			: 'Set the environment variable WEBHOOK_URL to an address of this n8n';
		throw new NodeOperationError(
			context.getNode(),
			`n8n cannot reach its own test URL at ${new URL(url).origin}, so it cannot show the latest response. ${fix}, or set "Test With" to "New Response".`,
		);
	}
}

/** Delivers a response to the test listener, as the service would. */
async function deliver(context: IHookFunctions, url: string, envelope: ResponseEnvelope) {
	const delivery = { url, body: { ...envelope }, json: true, timeout: 10_000 };
	let status: number | undefined;
	for (let tries = 1; tries <= TRIES; tries++) {
		await sleep(REGISTRATION_MS);
		try {
			await context.helpers.httpRequest({ method: 'POST', ...delivery });
			return;
		} catch (error) {
			status = (error as { response?: { status: number } }).response?.status;
		}
	}
	context.logger.warn(
		`The latest response could not be delivered to the test URL (${status ?? 'no answer'}). Listen for the test event again.`,
	);
}

/** Shows the test listener the next response, or the latest one. */
export async function listen(context: IHookFunctions): Promise<void> {
	const authentication = readAuthentication(context);
	const formId = readFormId(context);
	const webhookUrl = webhookUrlOf(context);
	const key = newKey(Date.now());
	const targetUrl = withKey(webhookUrl, key);
	const place = { formId, webhookUrl };
	const state = {
		...transitions.subscribed(place, ownerOf(context), stored(key), { baseline: [] }),
		isTest: true,
	};
	const endsAt = performance.now() + timing.attemptMs;
	const api = await open(context, authentication, endsAt, [key.text]);
	if (authentication === 'apiKey' || read(context, 'testWith') === 'latest') {
		const latest = await latestOf(context, api, formId);
		await assertOwnUrlAnswers(context, webhookUrl);
		store(context, state);
		void deliver(context, targetUrl, latest);
		return;
	}
	assertReachable(context, api.baseUrl, webhookUrl);
	// Stored before the request: the service may create the hook while its reply is lost.
	store(context, state);
	const { id: hookId } = await createHook(api, formId, targetUrl);
	store(context, { ...state, hookId });
}
