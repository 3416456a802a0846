import type { IHookFunctions } from 'n8n-workflow';
import { NodeOperationError, sleep } from 'n8n-workflow';
import type { ResponseEnvelope } from '../transport/types';

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
export async function assertOwnUrlAnswers(context: IHookFunctions, url: string): Promise<void> {
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
export async function deliverSample(
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
