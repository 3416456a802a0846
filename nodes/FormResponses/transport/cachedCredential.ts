import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHookFunctions,
	ILoadOptionsFunctions,
	ITriggerFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { isObject } from './shapes';
import { endWithin } from './timeLimit';

export type ApiContext =
	| IExecuteFunctions
	| IHookFunctions
	| ILoadOptionsFunctions
	| ITriggerFunctions
	| IWebhookFunctions;

type Credential = ICredentialDataDecryptedObject;

export interface CachedCredential {
	/** As first read. */
	values: Credential;
	/** The context to pass to n8n's request helper, which reads the cached credential from it. */
	reader: IAllExecuteFunctions;
	/**
	 * Reads the credential again after its token was refused. Calls `refresh` first, unless n8n has stored
	 * another token meanwhile.
	 */
	renew(refresh: (reader: IAllExecuteFunctions) => Promise<unknown>): Promise<void>;
	/** Whether it has an OAuth2 token, which n8n adds to what it was given. */
	hasToken(): boolean;
	/** Every secret that the credential has had so far. */
	secrets(): Promise<string[]>;
}

/** How long an error waits for the latest secrets, and how long others share them, in milliseconds. */
const SECRETS_MS = 1_000;

const tokensOf = ({ oauthTokenData }: Credential) =>
	isObject(oauthTokenData) ? oauthTokenData : {};

function secretsIn(credential: Credential): string[] {
	const { apiKey, clientSecret } = credential;
	const { access_token, refresh_token, id_token } = tokensOf(credential);
	return [apiKey, clientSecret, access_token, refresh_token, id_token]
		.filter((value) => typeof value === 'string')
		.map((value) => value.trim());
}

/**
 * Caches a credential. n8n's request helper would read and decrypt it for every request, which takes longer
 * than the rest of its work. It writes new tokens into the object it is given (n8n-core, requestOAuth2), so
 * secrets are collected before and after.
 *
 * @param itemIndex which item its expressions are resolved with
 */
export async function cacheCredential(
	context: ApiContext,
	type: string,
	itemIndex?: number,
): Promise<CachedCredential> {
	const secrets = new Set<string>();
	const collect = (credential: Credential) =>
		secretsIn(credential).forEach((secret) => secrets.add(secret));
	async function read(): Promise<Credential> {
		// Only `execute` has items; elsewhere n8n ignores the index.
		const credential = await (context as IExecuteFunctions).getCredentials(type, itemIndex);
		collect(credential);
		return credential;
	}
	const readerOf = (getCredentials: () => Promise<Credential>) =>
		Object.create(context, { getCredentials: { value: getCredentials } }) as IAllExecuteFunctions;

	const values = await read();
	let inUse = values;
	let cached: Promise<Credential> | undefined = Promise.resolve(values);
	async function readCached(): Promise<Credential> {
		const reading = (cached ??= read());
		inUse = await reading.catch((error: Error) => {
			if (cached === reading) cached = undefined;
			throw error;
		});
		return inUse;
	}
	/** For errors: another run may have renewed the token. */
	let [reading, readingSince] = [Promise.resolve<unknown>(undefined), -Infinity];
	return {
		values,
		reader: readerOf(readCached),
		async renew(refresh) {
			const refused = await readCached();
			collect(refused);
			const stored = (inUse = await read());
			const isStoredRefused = tokensOf(stored).access_token === tokensOf(refused).access_token;
			if (isStoredRefused) await refresh(readerOf(async () => stored));
			cached = undefined;
		},
		hasToken: () => Boolean(tokensOf(inUse).access_token),
		async secrets() {
			collect(inUse);
			if (performance.now() - readingSince > SECRETS_MS) {
				readingSince = performance.now();
				// A failure to read it must not hide the first error.
				reading = endWithin(SECRETS_MS, undefined, read).catch(() => {});
			}
			await reading;
			return [...secrets];
		},
	};
}
