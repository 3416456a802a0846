import type { IHookFunctions } from 'n8n-workflow';
import { NodeOperationError, sleep } from 'n8n-workflow';
import { read, readAuthentication, readFormId } from '../../parameters';
import { createHook, listResponses } from '../../transport/endpoints';
import type { Api, ResponseEnvelope } from '../../transport/types';
import type { DeliveryToken } from '../state/deliveryToken';
import { newToken, withToken } from '../state/deliveryToken';
import { assertReachable, open } from './hooks';
import type { TriggerState } from '../state/state';
import { transitions } from '../state/state';
import { store } from '../state/storedState';
import { timing } from '../timing';

/** n8n registers the test listener about this long after `create` returns. */
const REGISTRATION_MS = 300;
const TRIES = 10;
/** Messages of n8n's HTTP client for a blocked address (n8n, backend-network, ssrf). */
const BY_SSRF_PROTECTION = /ssrf|restricted IP|blocked/i;

/**
 * Checks that n8n reaches its own test URL. Any answer will do, because the listener is not registered yet.
 *
 * @throws NodeOperationError naming WEBHOOK_URL
 */
async function assertOwnUrlAnswers(context: IHookFunctions, url: string): Promise<void> {
	try {
		await context.helpers.httpRequest({
			method: 'HEAD',
			url,
			timeout: 5_000,
			ignoreHttpStatusErrors: true,
		});
	} catch (error) {
		const isBlocked = BY_SSRF_PROTECTION.test(
			`${(error as Error).message} ${(error as Error).name}`,
		);
		const fix = isBlocked
			? "n8n's protection against server-side request forgery blocks it. Allow this address in n8n's setting N8N_SSRF_ALLOWED_HOSTNAMES"
			: 'Set the environment variable WEBHOOK_URL to an address of this n8n';
		throw new NodeOperationError(
			context.getNode(),
			`n8n cannot reach its own test URL at ${new URL(url).origin}, so it cannot show the latest response. ${fix}, or set "Test With" to "New Response".`,
		);
	}
}

/** Delivers a response to the test listener, as the service would. */
async function deliverSample(
	context: IHookFunctions,
	targetUrl: string,
	envelope: ResponseEnvelope,
): Promise<void> {
	for (let tries = 1; tries <= TRIES; tries++) {
		await sleep(REGISTRATION_MS);
		try {
			await context.helpers.httpRequest({
				method: 'POST',
				url: targetUrl,
				body: { ...envelope },
				json: true,
				timeout: 10_000,
			});
			return;
		} catch (error) {
			const { response } = error as { response?: { status: number } };
			if (tries === TRIES) {
				context.logger.warn(
					`The latest response could not be delivered to the test URL (${response?.status ?? 'no answer'}). Listen for the test event again.`,
				);
			}
		}
	}
}

type Listen = (
	context: IHookFunctions,
	api: Api,
	state: TriggerState,
	token: DeliveryToken,
) => Promise<void>;

/** Delivers the latest response to the test listener, as the service would. */
const listenWithLatest: Listen = async (context, api, state, token) => {
	const [latest] = await listResponses(api, state.formId, 1);
	if (latest === undefined) {
		const message =
			'This form has no completed response yet, so there is none to show. Fill in the form once and try again, or with OAuth2 set "Test With" to "New Response".';
		throw new NodeOperationError(context.getNode(), message);
	}
	await assertOwnUrlAnswers(context, state.webhookUrl);
	store(context, state);
	void deliverSample(context, withToken(state.webhookUrl, token), latest);
};

const listenForNew: Listen = async (context, api, state, token) => {
	assertReachable(context, api.baseUrl, state.webhookUrl);
	// Stored before the request: the service may create the hook while its reply is lost.
	store(context, state);
	const targetUrl = withToken(state.webhookUrl, token);
	const { id: hookId } = await createHook(api, state.formId, targetUrl);
	store(context, { ...state, hookId });
};

/** Shows the test listener the next response, or the latest one. */
export async function listen(context: IHookFunctions): Promise<void> {
	const authentication = readAuthentication(context);
	const formId = readFormId(context);
	const webhookUrl = context.getNodeWebhookUrl('default') as string;
	const token = newToken(Date.now());
	const endsAt = performance.now() + timing.attemptMs;
	const api = await open(context, authentication, { token: token.token, endsAt });
	const isLatest = authentication === 'apiKey' || read(context, 'testWith') === 'latest';
	const begin = isLatest ? listenWithLatest : listenForNew;
	const state = transitions.subscribed({ formId, webhookUrl }, token, { baseline: [] });
	await begin(context, api, { ...state, isTest: true }, token);
}
