export const BASE_URL_RULE =
	'The Base URL of the credential must be an http or https address that ends in /api/v1, for example https://forms.example.com/api/v1';

/** The base URL without blanks around it and slashes behind it; undefined where it breaks the rule. */
export function normalizeBaseUrl(value: unknown): string | undefined {
	if (typeof value !== 'string' || !URL.canParse(value.trim())) return undefined;
	const url = new URL(value.trim());
	const path = url.pathname.replace(/\/+$/, '');
	const isPlain = !/[?#]/.test(value) && url.username === '' && url.password === '';
	const isHttp = url.protocol === 'https:' || url.protocol === 'http:';
	return isHttp && isPlain && path.endsWith('/api/v1') ? url.origin + path : undefined;
}
