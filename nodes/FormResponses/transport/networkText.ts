/** What happened, and the way out. */
export type Text = [what: string, wayOut: string];

type Address = 'Base URL' | 'Access Token URL';

/** By the codes of Node and axios. */
const TEXTS: Array<[RegExp, (host: string, address: Address) => Text]> = [
	[
		/^(ENOTFOUND|EAI_AGAIN)$/,
		(host, address) => [
			`the host name ${host} was not found`,
			`Check the ${address} of the credential, and the DNS of this n8n`,
		],
	],
	[
		/^ECONNREFUSED$/,
		(host, address) => [
			`${host} refused the connection`,
			`Check the host and port in the ${address} of the credential, and that the service is running there`,
		],
	],
	[
		/^(EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/,
		(host, address) => [
			`${host} cannot be reached from this n8n`,
			`Check the network of n8n, and the ${address} of the credential`,
		],
	],
	[/^(ETIMEDOUT|ECONNABORTED)$/, (host) => [`${host} did not answer in time`, 'Try again later']],
	[
		/SSL|^EPROTO$/,
		(host, address) => [
			`${host} does not speak TLS`,
			`If it has no certificate, begin the ${address} of the credential with http://`,
		],
	],
	[
		/CERT|SIGNATURE|SELF_SIGNED|TLS/,
		(host) => [
			`the certificate of ${host} is not valid, or this n8n does not trust it`,
			'If an authority of your own signed it, name its file in NODE_EXTRA_CA_CERTS',
		],
	],
	[
		/^ERR_INVALID_CHAR$/,
		() => ['the token of the credential has a character that cannot be sent', 'Enter it again'],
	],
];

/** Codes of a connection that was never made, so that nothing was sent. */
export const isUnconnected = (code: string): boolean =>
	/^(ENOTFOUND|EAI_AGAIN|ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/.test(code);

export const networkText = (code: string, host: string, address: Address): Text | undefined =>
	TEXTS.find(([pattern]) => pattern.test(code))?.[1](host, address);
