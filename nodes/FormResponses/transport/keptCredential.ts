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

export type ApiContext =
	| IExecuteFunctions
	| IHookFunctions
	| ILoadOptionsFunctions
	| ITriggerFunctions
	| IWebhookFunctions;

type Credential = ICredentialDataDecryptedObject;

export interface KeptCredential {
	/** As first read. */
	values: Credential;
	/** The context to pass to n8n's request helper, which reads the cached credential from it. */
	keeper: IAllExecuteFunctions;
	/**
	 * Reads the credential again after its token was refused. Calls `refresh` first, unless n8n has stored
	 * another token meanwhile.
	 */
	renew(refresh: (reader: IAllExecuteFunctions) => Promise<unknown>): Promise<void>;
	/** Every secret that the credential has had so far. */
	secrets(): Promise<string[]>;
}

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
 */
export async function keepCredential(context: ApiContext, type: string): Promise<KeptCredential> {
	const secrets = new Set<string>();
	function note(credential: Credential) {
		for (const secret of secretsIn(credential)) secrets.add(secret);
	}
	async function read(): Promise<Credential> {
		const credential = await context.getCredentials(type);
		note(credential);
		return credential;
	}
	const readerOf = (getCredentials: () => Promise<Credential>) =>
		Object.create(context, { getCredentials: { value: getCredentials } }) as IAllExecuteFunctions;

	const values = await read();
	let kept: Promise<Credential> | undefined = Promise.resolve(values);
	async function readKept(): Promise<Credential> {
		const reading = (kept ??= read());
		return await reading.catch((error: Error) => {
			if (kept === reading) kept = undefined;
			throw error;
		});
	}
	return {
		values,
		keeper: readerOf(readKept),
		async renew(refresh) {
			const refused = await readKept();
			note(refused);
			const stored = await read();
			const isStoredRefused = tokensOf(stored).access_token === tokensOf(refused).access_token;
			if (isStoredRefused) await refresh(readerOf(async () => stored));
			kept = undefined;
		},
		async secrets() {
			await kept?.then(note, () => {});
			// Another run may have renewed the token. A failure to read it must not hide the first error.
			await read().catch(() => {});
			return [...secrets];
		},
	};
}
