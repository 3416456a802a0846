import type { ApiContext } from './cachedCredential';
import { outcomeOfError } from './outcome';
import type { SendOnceOptions } from './sendOnce';
import { createSendOnce } from './sendOnce';
import { endWithin } from './timeLimit';
import type { ApiRequest, Outcome } from './types';

/**
 * Sends a request, and sends it again if its OAuth2 token had expired. n8n would renew the token once per
 * refused request, in older versions (still in 2.20) with the same refresh token, and services may then revoke
 * all tokens. So concurrent refusals share one renewal.
 */
export function createRenewingSend(context: ApiContext, options: SendOnceOptions) {
	const { type, credential, isRenewable, limitMs, signal } = options;
	const send = createSendOnce(context, options);
	let renewals = 0;
	/** The running renewal; resolves to its outcome if it failed. */
	let renewing: Promise<Outcome | undefined> | undefined;

	async function renew(): Promise<Outcome | undefined> {
		try {
			const { refreshOAuth2Token } = context.helpers;
			await endWithin(limitMs(), signal, async () => {
				await credential.renew(async (reader) => await refreshOAuth2Token.call(reader, type));
			});
			renewals++;
			return undefined;
		} catch (error) {
			return outcomeOfError(error as Error);
		} finally {
			renewing = undefined;
		}
	}

	return async (request: ApiRequest): Promise<Outcome> => {
		const renewalsBefore = renewals;
		const outcome = await send(request);
		const isTokenRefused = outcome.kind === 'answer' && outcome.status === 401;
		if (!isRenewable || !isTokenRefused) return outcome;
		if (renewals === renewalsBefore) {
			const failure = await (renewing ??= renew());
			if (failure) return failure;
		}
		return await send(request);
	};
}
