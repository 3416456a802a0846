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
	/** As it was first read. */
	values: Credential;
	/** What n8n's request helper takes for the node, and in which it finds the credential that is kept. */
	keeper: IAllExecuteFunctions;
	/**
	 * Reads the credential anew, after its token was refused. Unless another token is stored by now,
	 * `refresh` has to get one, with what n8n's request helper takes for the node.
	 */
	renew(refresh: (reader: IAllExecuteFunctions) => Promise<unknown>): Promise<void>;
	/** All that was secret in it until now. */
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
			// Another run may have renewed the token. That it cannot be read now is not what is to be told.
			await read().catch(() => {});
			return [...secrets];
		},
	};
}
