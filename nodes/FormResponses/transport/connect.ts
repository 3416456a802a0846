import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { assertApiKey } from './apiKey';
import { assertBaseUrl } from './baseUrl';
import type { ApiContext, CachedCredential } from './cachedCredential';
import { cacheCredential } from './cachedCredential';
import { apiError } from './errors';
import { createExchange } from './exchange';
import type { SendOptions } from './request';
import { createSend } from './request';
import { endWithin, isTimeout } from './timeLimit';
import type { Api, Authentication } from './types';

export interface ConnectOptions extends SendOptions {
	authentication: Authentication;
	/** Deadline for everything, from `connect` on; for calls that somebody waits for. */
	withinMs?: number;
	/** How long one request may take. */
	requestMs?: number;
	/** Strings to mask, besides the credential's own secrets. */
	secrets?: string[];
}

const REQUEST_MS = 60_000;

export const credentialTypeOf = (authentication: Authentication) =>
	authentication === 'apiKey' ? 'formResponsesApi' : 'formResponsesOAuth2Api';

/** Turns the UserError of a credential check into the node's error. */
function checked<Value>(
	context: ApiContext,
	assert: (value: unknown) => Value,
	value: unknown,
): Value {
	try {
		return assert(value);
	} catch (error) {
		throw new NodeOperationError(context.getNode(), error as Error);
	}
}

const NO_ITEM = 'The credential has an expression of an item, and only Form Responses has items.';

/** @throws NodeOperationError if it took too long: n8n may have to ask a vault for it */
async function readCredential(
	context: ApiContext,
	authentication: Authentication,
	limitMs: number,
	signal?: AbortSignal,
	itemIndex?: number,
): Promise<CachedCredential> {
	const type = credentialTypeOf(authentication);
	const read = async () => await cacheCredential(context, type, itemIndex);
	return await endWithin(limitMs, signal, read).catch((error: Error) => {
		const isWithoutItem = itemIndex === undefined && error.name === 'ExpressionError';
		if (!isTimeout(error) && !isWithoutItem) throw error;
		const late = `Could not read the credential: ${error.message}. Try again later.`;
		throw new NodeOperationError(context.getNode(), isWithoutItem ? NO_ITEM : late);
	});
}

/** @throws UserError, or NodeOperationError if it took too long */
export async function readBaseUrl(
	context: ApiContext,
	authentication: Authentication,
	withinMs: number,
): Promise<string> {
	return assertBaseUrl((await readCredential(context, authentication, withinMs)).values.baseUrl);
}

function connectWith(
	context: ApiContext,
	options: ConnectOptions,
	endsAt: number,
	credential: CachedCredential,
): Api {
	const { authentication, requestMs = REQUEST_MS, signal } = options;
	const baseUrl = checked(context, assertBaseUrl, credential.values.baseUrl);
	if (authentication === 'apiKey') checked(context, assertApiKey, credential.values.apiKey);
	let answeredAt: number | undefined;
	const exchange = createExchange(context, {
		onAnswer: ({ date }) => (answeredAt = Date.parse(date ?? '') || undefined),
		type: credentialTypeOf(authentication),
		credential,
		isRenewable: authentication === 'oAuth2',
		baseUrl,
		limitMs: () => Math.min(requestMs, endsAt - performance.now()),
		signal,
	});
	const send = createSend(options, endsAt, exchange, async (failure) => {
		const secrets = [...(options.secrets ?? []), ...(await credential.secrets())];
		return apiError(context.getNode(), { ...failure, authentication, baseUrl, secrets });
	});
	const warn = (message: string) => context.logger.warn(message);
	return { baseUrl, authentication, send, answeredAt: () => answeredAt, warn };
}

/**
 * Connects to the service with the node's credential.
 *
 * @throws NodeOperationError if the base URL or API key is invalid; nothing is sent
 */
export async function connect(context: ApiContext, options: ConnectOptions): Promise<Api> {
	const { authentication, requestMs = REQUEST_MS, withinMs = Infinity, signal } = options;
	const endsAt = performance.now() + withinMs;
	const limitMs = Math.min(requestMs, withinMs);
	const credential = await readCredential(context, authentication, limitMs, signal);
	return connectWith(context, options, endsAt, credential);
}

/**
 * Connects items, each with the credential as its expressions give it for this item. Those with the same one share a
 * connection.
 */
export function connectItems(context: IExecuteFunctions, options: ConnectOptions) {
	const { authentication, signal } = options;
	const connections = new Map<string, Api>();
	let first: Promise<Api> | undefined;

	async function connectTo(itemIndex: number): Promise<Api> {
		const credential = await readCredential(context, authentication, REQUEST_MS, signal, itemIndex);
		// The OAuth2 token, which n8n renews, is the same for all items.
		const identity = JSON.stringify({ ...credential.values, oauthTokenData: undefined });
		const api = connections.get(identity) ?? connectWith(context, options, Infinity, credential);
		connections.set(identity, api);
		return api;
	}

	/** @throws NodeOperationError for a wrong credential, or one that takes the token to another service */
	return async (itemIndex: number): Promise<Api> => {
		const connecting = connectTo(itemIndex);
		if (authentication === 'apiKey') return await connecting;
		const [own, asked] = (await Promise.all([connecting, (first ??= connecting)])).map(
			({ baseUrl }) => new URL(baseUrl).origin,
		);
		if (own === asked) return await connecting;
		const message = `An OAuth2 token may go to one service only: ${asked} by the first item, not ${own}. Use a credential for each.`;
		throw new NodeOperationError(context.getNode(), message);
	};
}
