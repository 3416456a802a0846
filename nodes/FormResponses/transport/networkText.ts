/** What happened, and how to fix it. */
export type Text = [what: string, fix: string];

type Address = 'Base URL' | 'Access Token URL';

/** Node's codes for failed connections: nothing was sent. */
const UNCONNECTED: Array<[RegExp, (host: string) => string]> = [
	[/^(ENOTFOUND|EAI_AGAIN)$/, (host) => `the host name ${host} was not found`],
	[/^ECONNREFUSED$/, (host) => `${host} refused the connection`],
	[/^E(HOSTUNREACH|NETUNREACH|ADDRNOTAVAIL)$/, (host) => `${host} cannot be reached from this n8n`],
];

const unconnected = (code: string) => UNCONNECTED.find(([pattern]) => pattern.test(code))?.[1];

export const isUnconnected = (code: string): boolean => unconnected(code) !== undefined;

/** OpenSSL's messages for a reply that is not TLS; all TLS failures have the same code. */
const NOT_TLS = /wrong version number|packet length too long|http request/i;

/** Explains codes of Node and axios; undefined for others. */
export function networkText(
	{ code = '', message = '' }: { code?: string; message?: string },
	host: string,
	address: Address,
): Text | undefined {
	const what = unconnected(code);
	if (what) return [what(host), `Check the ${address} of the credential, and the network of n8n`];
	if (/^(ETIMEDOUT|ECONNABORTED)$/.test(code)) {
		return [`${host} did not answer in time`, 'Try again later'];
	}
	if (/SSL|^EPROTO$/.test(code)) {
		const noTls = `If it has no certificate, begin the ${address} of the credential with http://`;
		const other = `Check the ${address} of the credential, and any proxy or firewall on the way`;
		return NOT_TLS.test(message)
			? [`${host} does not speak TLS`, noTls]
			: [`the TLS connection to ${host} failed`, other];
	}
	if (/CERT|SIGNATURE|SELF_SIGNED|TLS/.test(code)) {
		const fix = 'If an authority of your own signed it, name its file in NODE_EXTRA_CA_CERTS';
		return [`the certificate of ${host} is not valid, or this n8n does not trust it`, fix];
	}
	return code === 'ERR_INVALID_CHAR'
		? ['the token of the credential has a character that cannot be sent', 'Enter it again']
		: undefined;
}
