import type { IExecuteFunctions } from 'n8n-workflow';
import { NodeOperationError } from 'n8n-workflow';
import { assertApiKey } from './apiKey';
import { assertBaseUrl, NO_ITEM } from './baseUrl';
import type { ApiContext, CachedCredential } from './cachedCredential';
import { cacheCredential } from './cachedCredential';
import { apiError, plainError } from './errors';
import type { SendOptions } from './request';
import { createSend } from './request';
import { endWithin, isTimeout } from './timeLimit';
import { createRenewingSend } from './tokenRenewal';
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
function checked(context: ApiContext, assert: (value: unknown) => string, value: unknown): string {
	try {
		return assert(value);
	} catch (error) {
		throw new NodeOperationError(context.getNode(), error as Error);
	}
}

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
		const hasItem = authentication === 'apiKey' && itemIndex !== undefined;
		const isWithoutItem = !hasItem && error.name === 'ExpressionError';
		if (!isTimeout(error) && !isWithoutItem) throw error;
		const fix = isWithoutItem ? NO_ITEM : 'Try again later.';
		throw plainError(context.getNode(), `Could not read the credential: ${error.message}. ${fix}`);
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
	const sendNow = createRenewingSend(context, {
		onAnswer: ({ date }) => (answeredAt = Date.parse(date ?? '') || undefined),
		type: credentialTypeOf(authentication),
		credential,
		isRenewable: authentication === 'oAuth2',
		baseUrl,
		limitMs: () => Math.min(requestMs, endsAt - performance.now()),
		signal,
	});
	const send = createSend(options, endsAt, sendNow, async (failure) => {
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
 * Connects items. With an API key, each has the credential as its expressions give it for this item; those with the
 * same one share a connection. A token must not follow an item's address, so an OAuth2 credential is that of no item.
 */
export function connectItems(context: IExecuteFunctions, options: ConnectOptions) {
	const { authentication, signal } = options;
	const connections = new Map<string, Api>();
	let ofAll: Promise<Api> | undefined;

	async function connectTo(itemIndex: number): Promise<Api> {
		const credential = await readCredential(context, authentication, REQUEST_MS, signal, itemIndex);
		const { baseUrl, apiKey } = credential.values;
		const identity = `${checked(context, assertBaseUrl, baseUrl)} ${String(apiKey).trim()}`;
		const api = connections.get(identity) ?? connectWith(context, options, Infinity, credential);
		connections.set(identity, api);
		return api;
	}

	/** @throws NodeOperationError for a wrong credential */
	return async (itemIndex: number): Promise<Api> => {
		if (authentication === 'apiKey') return await connectTo(itemIndex);
		// Beyond the input, n8n has no value for an expression of an item.
		return await (ofAll ??= connectTo(context.getInputData().length));
	};
}
