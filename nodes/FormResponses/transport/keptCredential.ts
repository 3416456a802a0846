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
	/** As it was when it was first read. */
	values: Credential;
	/** What n8n's request helper takes for the node, and in which it finds the credential that is kept. */
	keeper: IAllExecuteFunctions;
	/** Does something with one in which it finds the credential as it is stored now. */
	withStored<Result>(work: (reader: IAllExecuteFunctions) => Promise<Result>): Promise<Result>;
	/** The next request reads it anew. */
	forget(): void;
	/** All that was secret in it until now. */
	secrets(): Promise<string[]>;
}

function secretsIn({ apiKey, clientSecret, oauthTokenData }: Credential): string[] {
	const { access_token, refresh_token, id_token } = isObject(oauthTokenData) ? oauthTokenData : {};
	return [apiKey, clientSecret, access_token, refresh_token, id_token]
		.filter((value) => typeof value === 'string')
		.map((value) => value.trim());
}

/**
 * A credential that is read once. n8n's request helper would read and decrypt it for every request, which
 * takes longer than all else it does. Tokens that it gets it writes into what it was given (n8n-core,
 * requestOAuth2), hence secrets are looked for before and after.
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
	function forget() {
		void kept?.then(note, () => {});
		kept = undefined;
	}
	return {
		values,
		keeper: readerOf(async () => {
			kept ??= read();
			return await kept.catch((error: Error) => {
				kept = undefined;
				throw error;
			});
		}),
		async withStored(work) {
			const stored = await read();
			try {
				return await work(readerOf(async () => stored));
			} finally {
				note(stored);
			}
		},
		forget,
		async secrets() {
			await kept?.then(note, () => {});
			// Another run may have renewed the token. That it cannot be read now is not what is to be told.
			await read().catch(() => {});
			return [...secrets];
		},
	};
}
