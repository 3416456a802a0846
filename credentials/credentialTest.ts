import type { ICredentialTestRequest } from 'n8n-workflow';

const CHECK_BASE_URL = 'Check the Base URL: it is the address of the API, ending in /api/v1.';

/**
 * Calls `GET /me`, which every valid token may call. Any page may answer 200, so the last rule requires a
 * workspace: n8n fails the test if `key` equals `value` (n8n, credentials-tester.service.ts).
 *
 * @param onRefusal the message for a token that the service does not accept
 */
export const credentialTest = (onRefusal: string): ICredentialTestRequest => ({
	request: {
		baseURL: '={{ $credentials.baseUrl.trim().replace(/\\/+$/, "") }}',
		url: '/me',
		disableFollowRedirect: true,
	},
	// n8n accepts mixed rule types in one list, unlike its type.
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
