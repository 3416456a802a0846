import { networkText } from '../../../../../nodes/FormResponses/transport/networkText';

const NETWORK = 'Check the Base URL of the credential, and the network of n8n';
const AUTHORITY = 'If an authority of your own signed it, name its file in NODE_EXTRA_CA_CERTS';
const NOT_TRUSTED = 'the certificate of HOST is not valid, or this n8n does not trust it';
const NO_TLS = 'HOST does not speak TLS';
const HTTP = 'If it has no certificate, begin the Base URL of the credential with http://';
const PROXY = 'Check the Base URL of the credential, and any proxy or firewall on the way';

test.each<[code: string, what: string, fix: string, message?: string]>([
	['ENOTFOUND', 'the host name HOST was not found', NETWORK],
	['EAI_AGAIN', 'the host name HOST was not found', NETWORK],
	['ECONNREFUSED', 'HOST refused the connection', NETWORK],
	['EHOSTUNREACH', 'HOST cannot be reached from this n8n', NETWORK],
	['ENETUNREACH', 'HOST cannot be reached from this n8n', NETWORK],
	['ETIMEDOUT', 'HOST did not answer in time', 'Try again later'],
	['ECONNABORTED', 'HOST did not answer in time', 'Try again later'],
	['CERT_HAS_EXPIRED', NOT_TRUSTED, AUTHORITY],
	['DEPTH_ZERO_SELF_SIGNED_CERT', NOT_TRUSTED, AUTHORITY],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', NOT_TRUSTED, AUTHORITY],
	['ERR_TLS_CERT_ALTNAME_INVALID', NOT_TRUSTED, AUTHORITY],
	['EPROTO', NO_TLS, HTTP, 'SSL routines:tls_get_record:wrong version number'],
	['ERR_SSL_WRONG_VERSION_NUMBER', NO_TLS, HTTP, 'SSL routines::wrong version number'],
	['EPROTO', NO_TLS, HTTP, 'SSL routines:ssl3_get_record:http request'],
	['EPROTO', 'the TLS connection to HOST failed', PROXY, 'tlsv1 alert protocol version'],
	[
		'ERR_INVALID_CHAR',
		'the token of the credential has a character that cannot be sent',
		'Enter it again',
	],
])('%s is told as "%s"', (code, what, fix, message = '') => {
	expect(networkText({ code, message }, 'HOST', 'Base URL')).toEqual([what, fix]);
});

test('the address to check is that which failed', () => {
	const failed = { code: 'ENOTFOUND' };
	const [, fix] = networkText(failed, 'HOST', 'Access Token URL')!;
	expect(fix).toBe('Check the Access Token URL of the credential, and the network of n8n');
});

test.each([{ code: 'ECONNRESET' }, { message: 'wrong version number' }, {}])(
	'%j has no words of its own',
	(error) => {
		expect(networkText(error, 'HOST', 'Base URL')).toBeUndefined();
	},
);
