import type { ICredentialTestRequest } from 'n8n-workflow';

const CHECK_BASE_URL = 'Check the Base URL: it is the address of the API, ending in /api/v1.';

/**
 * Asks who the token is, which any valid token may. A page that answers 200 is not enough: n8n refuses an
 * answer in which `key` has `value` (n8n, credentials-tester.service.ts), and only an identity has a workspace.
 *
 * @param onRefusal what to do about a token that the service does not accept
 */
export const credentialTest = (onRefusal: string): ICredentialTestRequest => ({
	request: {
		baseURL: '={{ $credentials.baseUrl.trim().replace(/\\/+$/, "") }}',
		url: '/me',
		disableFollowRedirect: true,
	},
	// n8n takes rules of both types in one list, which its type does not say.
	rules: [
		{ type: 'responseCode', properties: { value: 401, message: onRefusal } },
		{
			type: 'responseCode',
			properties: {
				value: 404,
				message: `There is no form service at this address. ${CHECK_BASE_URL}`,
			},
		},
		{
			type: 'responseSuccessBody',
			properties: {
				key: 'workspace.id',
				value: undefined,
				message: `What answers at this address is not the form service. ${CHECK_BASE_URL}`,
			},
		},
	] as ICredentialTestRequest['rules'],
});
