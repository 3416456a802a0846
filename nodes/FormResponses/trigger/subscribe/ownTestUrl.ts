import type { IHookFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { plainError } from '../../transport/errors';
import type { Text } from '../../transport/networkText';
import { networkText } from '../../transport/networkText';
import { isObject } from '../../transport/shapes';
import type { Authentication, ResponseEnvelope } from '../../transport/types';
import { SET_WEBHOOK_URL } from './ownAddress';

/** Messages of n8n's HTTP client for a blocked address (n8n, backend-network, ssrf). */
const BY_SSRF_PROTECTION = /ssrf|restricted IP|blocked/i;
/** Of n8n before it has registered the listener (n8n, webhook-not-found.error.ts). */
const NOT_YET = /webhook .* is not registered/;

/** With an API key, there is no such field. */
export const orNew = (authentication: Authentication) =>
	authentication === 'apiKey' ? '' : ' Or set "Test With" to "New Response".';

/** As the service would send it. */
export const deliveryTo = (url: string, envelope: ResponseEnvelope): IHttpRequestOptions => ({
	method: 'POST',
	url,
	body: { ...envelope },
	json: true,
	timeout: 10_000,
});

interface Answer {
	statusCode: number;
	body: unknown;
}

/** Whether n8n itself answered, or this node for a listener that is registered. */
function isOfN8n({ statusCode, body }: Answer): boolean {
	const message = isObject(body) ? String(body.message) : '';
	return statusCode === 404 ? NOT_YET.test(message) : statusCode === 410 && message === 'Gone';
}

function nameOf({ statusCode, body }: Answer): string {
	const isPage = typeof body === 'string' && /<html|<!doctype/i.test(body);
	return isPage ? `a web page with status ${statusCode}` : `status ${statusCode}`;
}

/** Why n8n does not reach itself, and the way out. */
function faultOf(error: Error & { code?: string }, host: string): Text {
	const { message, name } = error;
	if (BY_SSRF_PROTECTION.test(`${message} ${name}`)) {
		const reason = "n8n's protection against server-side request forgery blocks it";
		return [reason, 'Allow it in N8N_SSRF_ALLOWED_HOSTNAMES.'];
	}
	const [reason, fix] = networkText(error, host, 'Base URL') ?? [message, ''];
	return [reason, fix.includes('NODE_EXTRA_CA_CERTS') ? `${fix}.` : SET_WEBHOOK_URL];
}

/**
 * Checks that n8n reaches its own test URL, with the delivery of a response that has no key.
 *
 * @throws NodeOperationError naming what answers there, and the way out
 */
export async function assertOwnUrlAnswers(
	context: IHookFunctions,
	url: string,
	envelope: ResponseEnvelope,
	authentication: Authentication,
): Promise<void> {
	const { host, origin } = new URL(url);
	const fail = (problem: string, fix: string) => {
		const message = `The latest response cannot be shown: ${problem}. ${fix}`;
		throw plainError(context.getNode(), message);
	};
	const delivery: IHttpRequestOptions = {
		...deliveryTo(url, envelope),
		...{ ignoreHttpStatusErrors: true, returnFullResponse: true },
	};
	let answer: Answer;
	try {
		answer = (await context.helpers.httpRequest(delivery)) as Answer;
	} catch (error) {
		const [reason, fix] = faultOf(error as Error, host);
		const otherwise = `${fix}${orNew(authentication)}`;
		return fail(`n8n cannot reach its own test URL at ${origin}: ${reason}`, otherwise);
	}
	if (isOfN8n(answer)) return;
	fail(`not n8n but ${nameOf(answer)} answers at its test URL, at ${origin}`, SET_WEBHOOK_URL);
}
