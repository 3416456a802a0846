export const demoClient = {
	id: 'playground',
	secret: 'playground-secret',
	grants: ['authorization_code', 'client_credentials', 'refresh_token'],
	redirectUris: ['http://localhost/'],
};

const localHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Allows every page of this machine, as it is a playground. */
export function isAllowedRedirect(redirectUri: string): boolean {
	const url = URL.parse(redirectUri);
	return url !== null && /^https?:$/.test(url.protocol) && localHosts.has(url.hostname);
}
